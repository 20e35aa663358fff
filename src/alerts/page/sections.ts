import type { AccountSection } from '../../html/account.ts'
import { deliveriesSection } from './deliveriesSection.ts'
import { linesSection } from './linesSection.ts'
import { listSection } from './listSection.ts'
import { rulesSection } from './rulesSection.ts'
import type { AlertSectionDeps } from './sectionDeps.ts'
import { webhookSection } from './webhookSection.ts'

/** What the account page shows of alerts. */
export const accountSections = (deps: AlertSectionDeps): readonly AccountSection[] => [
  webhookSection(deps),
  deliveriesSection(deps),
  listSection(deps),
  linesSection(deps),
  rulesSection(deps),
]
