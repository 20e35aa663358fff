import type { WatchStates } from '../rules/minute.ts'
import type { LabelState } from '../rules/positionLabel.ts'

/** State carried from one minute of a session to the next, as plain JSON. */
export type Memory = {
  readonly watch: WatchStates | null
  /** By position. */
  readonly positions: Readonly<Record<string, LabelState>>
}

/** Returns the memory before the first minute of a session: the last spot of the previous one. */
export function memoryBefore(price: WatchStates['price']): Memory {
  if (price === null) return { watch: null, positions: {} }
  const none = { measured: {}, volume: {}, open_interest: {} }
  const noGamma = { measured: null, volume: null, open_interest: null }
  const { day, minute } = price
  const watch = { day, minute, price, levels: none, largestGamma: noGamma, groups: {} }
  return { watch, positions: {} }
}

export const memoryText = (memory: Memory): string => JSON.stringify(memory)

export const parseMemory = (text: string): Memory => JSON.parse(text) as Memory
