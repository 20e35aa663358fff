import type { AreaDeps } from '../http/area.ts'

/** What the account page is made of: the account store, and what areas bring. */
export type AccountDeps = Pick<
  AreaDeps<unknown>,
  'accounts' | 'notices' | 'elapsedMs' | 'nowMs' | 'log' | 'others'
>
