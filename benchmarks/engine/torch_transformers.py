"""The same transformers in PyTorch, for torch.compile: scaled_dot_product_attention, and no layer that ours has not."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional


class Attention(nn.Module):
    """separate: three linear layers, else one."""

    def __init__(self, hidden: int, heads: int, separate: bool) -> None:
        super().__init__()
        self.heads = heads
        self.parts = nn.ModuleList(nn.Linear(hidden, hidden) for _ in range(3)) if separate else None
        self.qkv = None if separate else nn.Linear(hidden, 3 * hidden)
        self.projection = nn.Linear(hidden, hidden)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        parts = [part(x) for part in self.parts] if self.parts is not None else self.qkv(x).chunk(3, dim=-1)
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in parts)
        y = functional.scaled_dot_product_attention(q, k, v)
        return self.projection(y.transpose(1, 2).flatten(2))


class Layer(nn.Module):
    """first: whether normalisation comes before each half, or after its sum."""

    def __init__(self, hidden: int, heads: int, first: bool) -> None:
        super().__init__()
        self.first, self.attention = first, Attention(hidden, heads, separate=not first)
        self.feed_forward = nn.Sequential(nn.Linear(hidden, 4 * hidden), nn.GELU(), nn.Linear(4 * hidden, hidden))
        self.norms = nn.ModuleList(nn.LayerNorm(hidden) for _ in range(2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for part, norm in zip((self.attention, self.feed_forward), self.norms, strict=True):
            x = x + part(norm(x)) if self.first else norm(x + part(x))
        return x


class SmallViT(nn.Module):
    """ViT-S/16, its tokens averaged before the classifier."""

    def __init__(self, hidden: int = 384, heads: int = 6, depth: int = 12, tokens: int = 196) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, hidden, 16, 16)
        self.places = nn.Parameter(torch.zeros(1, tokens, hidden))
        self.layers = nn.Sequential(*[Layer(hidden, heads, first=True) for _ in range(depth)])
        self.norm, self.head = nn.LayerNorm(hidden), nn.Linear(hidden, 1000)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.patches(x).flatten(2).transpose(1, 2) + self.places
        return self.head(self.norm(self.layers(x)).mean(dim=1))


def bert_base() -> tuple[nn.Module, tuple[int, ...]]:
    """(encoder, shape of one input)"""
    return nn.Sequential(*[Layer(768, 12, first=False) for _ in range(12)]), (128, 768)


TRANSFORMERS = {"bert_base": bert_base, "vit_small": lambda: (SmallViT(), (3, 224, 224))}
