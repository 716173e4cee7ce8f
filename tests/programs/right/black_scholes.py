"""Prices of options, with device functions that call each other."""

import math

import numpy as np
from numba import cuda


@cuda.jit(device=True, inline=True)
def normal(d):
    k = 1.0 / (1.0 + 0.2316419 * math.fabs(d))
    poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    value = 0.39894228040143267794 * math.exp(-0.5 * d * d) * poly
    if d > 0:
        value = 1.0 - value
    return value


@cuda.jit("void(double[:], double[:], double[:], double[:], double[:], double, double)")
def price(call, put, stock, strike, years, rate, volatility):
    i = cuda.grid(1)
    if i >= stock.shape[0]:
        return
    root = math.sqrt(years[i])
    d1 = (math.log(stock[i] / strike[i]) + (rate + 0.5 * volatility**2) * years[i]) / (volatility * root)
    d2 = d1 - volatility * root
    discount = math.exp(-rate * years[i])
    call[i] = stock[i] * normal(d1) - strike[i] * discount * normal(d2)
    put[i] = strike[i] * discount * (1.0 - normal(d2)) - stock[i] * (1.0 - normal(d1))


rng = np.random.default_rng(0)
stock, strike, years = rng.uniform(5, 30, 200), rng.uniform(1, 100, 200), rng.uniform(0.25, 10, 200)
call, put = np.zeros(200), np.zeros(200)
price[2, 128](call, put, stock, strike, years, 0.02, 0.3)
np.testing.assert_allclose(call - put, stock - strike * np.exp(-0.02 * years), atol=1e-9)
