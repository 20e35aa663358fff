/** Registers the areas for whoever builds sessions in this process. */

import { registerAreaDuties } from '../data/areaDuties.ts'

registerAreaDuties(async () => (await import('./areaDuties.ts')).AREA_DUTIES)
