"""Training of the small decoder of minitrt/samples with torch, on a GPU: its layers as torch has them, and the steps.

From half of the steps on every product goes through weights of 4 bits as they will be stored, and the gradient goes
past the rounding: so the model learns to do with them.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from minitrt.samples import decoder

BATCH, PLACES = 48, 256  # texts of a step, and their length
MOST, LEAST = 1.5e-3, 1e-4  # learning rates
Arrays = dict[str, np.ndarray]


def rounded(weights: torch.Tensor) -> torch.Tensor:
    """What 4 bits and a float16 scale per 32 leave of weights; the gradient is that of the weights themselves."""
    groups = weights.view(len(weights), -1, decoder.GROUP)
    scales = (groups.abs().amax(-1, keepdim=True) / 7).half().float().clamp(min=1e-6)
    kept = ((groups / scales).round().clamp(-8, 7) * scales).view_as(weights)
    return weights + (kept - weights).detach()


class Decoder(nn.Module):
    """The decoder of `minitrt.samples.decoder`, all places of a text at once."""

    def __init__(self) -> None:
        super().__init__()
        self.matrices = nn.ParameterDict(
            {name.replace(".", "_"): torch.randn(shape) * shape[1] ** -0.5 for name, shape in decoder.MATRICES.items()}
        )
        self.norms = nn.ParameterDict({name.replace(".", "_"): torch.ones(decoder.WIDTH) for name in decoder.NORMS})
        self.words = nn.Parameter(torch.randn(decoder.WORDS, decoder.WIDTH) * 0.05)
        angles = torch.arange(decoder.MOST_PLACES)[:, None] * torch.from_numpy(decoder.SPEEDS)
        self.register_buffer("cos", angles.cos()), self.register_buffer("sin", angles.sin())
        self.stored = False  # whether products go through weights as they will be stored

    def product(self, name: str, x: torch.Tensor) -> torch.Tensor:
        weights = self.matrices[name.replace(".", "_")]
        return functional.linear(x, rounded(weights) if self.stored else weights)

    def norm(self, name: str, x: torch.Tensor) -> torch.Tensor:
        return functional.rms_norm(x.float(), (decoder.WIDTH,), self.norms[name.replace(".", "_")], decoder.EPS)

    def turned(self, x: torch.Tensor) -> torch.Tensor:
        """Heads (N, places, heads, 128), turned by their places."""
        cos, sin = self.cos[: x.shape[1], None], self.sin[: x.shape[1], None]
        a, b = x.float().chunk(2, -1)
        return torch.cat([a * cos - b * sin, b * cos + a * sin], -1).to(x.dtype)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Logits (N, places, words) of tokens (N, places)."""
        x = self.words[tokens]
        for layer in range(decoder.LAYERS):
            y = self.norm(f"{layer}.before", x)
            heads = [self.product(f"{layer}.{name}", y).unflatten(-1, (-1, decoder.HEAD)) for name in decoder.HEADS_OF]
            q, k, v = self.turned(heads[0]), self.turned(heads[1]), heads[2]
            q, k, v = (one.transpose(1, 2) for one in (q, k, v))
            k, v = (one.expand(-1, decoder.HEADS, -1, -1) for one in (k, v))
            y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + self.product(f"{layer}.out", y.transpose(1, 2).flatten(2))
            y = self.norm(f"{layer}.between", x)
            y = functional.silu(self.product(f"{layer}.gate", y)) * self.product(f"{layer}.up", y)
            x = x + self.product(f"{layer}.down", y)
        return functional.linear(self.norm("after", x), self.words)

    def arrays(self) -> Arrays:
        """What `minitrt.samples.decoder` reads."""
        found = {"words": self.words.detach().half().cpu().numpy()}
        found |= {name: self.norms[name.replace(".", "_")].detach().half().cpu().numpy() for name in decoder.NORMS}
        for name in decoder.MATRICES:
            weights = self.matrices[name.replace(".", "_")].detach().float().cpu().numpy()
            found[f"{name}.packed"], found[f"{name}.scales"] = decoder.packed(weights)
        return found


def train(text: np.ndarray, steps: int, seconds: float, seed: int) -> tuple[Arrays, float]:
    """Arrays, and the loss over the last 100 steps in nats per token. text: (n,) uint8 of token numbers.

    Stops after so many seconds, too: the rate and the rounding follow whichever is further on.
    """
    torch.manual_seed(seed)
    model, data = Decoder().cuda(), torch.from_numpy(text).long().cuda()
    optimiser = torch.optim.AdamW(model.parameters(), MOST, betas=(0.9, 0.98), weight_decay=0.05, fused=True)
    offsets, losses, begin = torch.arange(PLACES + 1, device="cuda"), [], time.monotonic()
    for step in range(steps):
        done = max(step / steps, (time.monotonic() - begin) / seconds)
        if done >= 1:
            break
        model.stored = done > 0.5
        for group in optimiser.param_groups:
            group["lr"] = min(1, (step + 1) / 100) * (LEAST + (MOST - LEAST) * 0.5 * (1 + np.cos(np.pi * done)))
        pieces = data[torch.randint(len(data) - PLACES, (BATCH, 1), device="cuda") + offsets]
        loss = loss_of(model, pieces)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        losses.append(loss.detach())
        if step % 500 == 0:
            print(f"step {step}: {loss.item():.3f}, {time.monotonic() - begin:.0f} s", flush=True)
    return model.arrays(), float(torch.stack(losses[-100:]).mean())


def loss_of(model: Decoder, pieces: Any) -> torch.Tensor:
    """Of each token but the first, from those before it."""
    with torch.autocast("cuda", torch.bfloat16):
        logits = model(pieces[:, :-1])
    return functional.cross_entropy(logits.float().flatten(0, 1), pieces[:, 1:].flatten())
