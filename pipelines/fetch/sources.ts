import { CBOE_DELAYED } from './cboe-delayed/source.ts'
import { DATABENTO } from './databento/source.ts'
import { FRED } from './fred/source.ts'
import { MASSIVE } from './massive/source.ts'
import type { DataSource } from './source.ts'
import { THETADATA } from './thetadata/source.ts'
import { TREASURY } from './treasury/source.ts'

/** All sources, in the order of the help: the free ones first. */
export const SOURCES: readonly DataSource[] = [
  CBOE_DELAYED,
  TREASURY,
  FRED,
  THETADATA,
  DATABENTO,
  MASSIVE,
]
