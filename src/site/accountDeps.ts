import type { AreaDeps } from '../accounts/area.ts'

/** Dependencies of the account page: the account store, and the areas. */
export type AccountDeps = Pick<
  AreaDeps<unknown>,
  'accounts' | 'notices' | 'elapsedMs' | 'nowMs' | 'log' | 'others'
>
