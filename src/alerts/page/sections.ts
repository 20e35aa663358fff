import type { AccountSection } from '../../accounts/accountPage.ts'
import { deliveriesSection } from './deliveriesSection.ts'
import { linesSection } from './linesSection.ts'
import { listSection } from './listSection.ts'
import { type PreviewSectionDeps, previewSection } from './previewSection.ts'
import { rulesSection } from './rulesSection.ts'
import { webhookSection } from './webhookSection.ts'

/** Sections of the account page about alerts. */
export const accountSections = (deps: PreviewSectionDeps): readonly AccountSection[] => [
  webhookSection(deps),
  deliveriesSection(deps),
  listSection(deps),
  linesSection(deps),
  rulesSection(deps),
  previewSection(deps),
]
