import type { AccountSection } from '../accounts/accountPage.ts'
import type { AccountDeps } from './accountDeps.ts'
import { browsersSection } from './browsersSection.ts'
import { contactsSection } from './contactsSection.ts'
import { keysSection } from './keysSection.ts'
import { productsSection } from './productsSection.ts'
import { usageSection } from './usageSection.ts'

/** Sections of the account page: its own, and between them those of the areas. */
export const listSections = (deps: AccountDeps): readonly AccountSection[] => [
  productsSection(),
  keysSection(deps),
  usageSection(deps),
  ...deps.others().flatMap(({ open }) => open.account?.sections ?? []),
  contactsSection(deps),
  browsersSection(deps),
]
