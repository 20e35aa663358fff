import { hash } from 'node:crypto'

/** Deterministic random numbers: splitmix64 (Steele, Lea and Flood, 2014). */
export type Draws = {
  /** In [0, 1), 53 bits. */
  readonly unit: () => number
  /** Integer from 0 to `count` - 1; `count` below 2 ** 21. */
  readonly index: (count: number) => number
}

/** Seed from a text, such as the id of an idea: the first 64 bits of its SHA-256. */
export const hashSeed = (text: string): bigint => BigInt(`0x${hash('sha256', text).slice(0, 16)}`)

/**
 * Creates a generator from a 64-bit seed, in 32-bit halves: numbers are twenty times as fast as
 * bigints.
 */
export function createDraws(seed: bigint): Draws {
  let high = Number((seed >> 32n) & 0xffffffffn) | 0
  let low = Number(seed & 0xffffffffn) | 0
  let [mixedHigh, mixedLow] = [0, 0]

  const multiply = (byHigh: number, byLow: number) => {
    const top = Math.imul(mixedHigh, byLow) + Math.imul(mixedLow, byHigh)
    mixedHigh = (top + highProduct(mixedLow, byLow)) | 0
    mixedLow = Math.imul(mixedLow, byLow)
  }
  const shiftIn = (bits: number) => {
    mixedLow ^= (mixedLow >>> bits) | (mixedHigh << (32 - bits))
    mixedHigh ^= mixedHigh >>> bits
  }
  const step = () => {
    const sum = (low >>> 0) + 0x7f4a7c15
    low = sum | 0
    high = (high + 0x9e3779b9 + (sum > 0xffffffff ? 1 : 0)) | 0
    mixedHigh = high
    mixedLow = low
    shiftIn(30)
    multiply(0xbf58476d, 0x1ce4e5b9)
    shiftIn(27)
    multiply(0x94d049bb, 0x133111eb)
    shiftIn(31)
  }
  return {
    unit: () => {
      step()
      return ((mixedHigh >>> 0) * 2 ** 21 + (mixedLow >>> 11)) / 2 ** 53
    },
    index: count => {
      step()
      // upper 53 bits times count, without rounding: 32 of them, then the other 21
      const carried = Math.floor(((mixedLow >>> 11) * count) / 2 ** 21)
      return Math.floor(((mixedHigh >>> 0) * count + carried) / 2 ** 32)
    },
  }
}

/** Upper 32 bits of the product of two 32-bit numbers. */
function highProduct(a: number, b: number): number {
  const [aHigh, aLow, bHigh, bLow] = [a >>> 16, a & 0xffff, b >>> 16, b & 0xffff]
  const cross = aHigh * bLow + Math.floor((aLow * bLow) / 65_536)
  const other = aLow * bHigh + (cross % 65_536)
  return aHigh * bHigh + Math.floor(cross / 65_536) + Math.floor(other / 65_536)
}
