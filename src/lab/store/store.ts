import type { AccountStore } from '../../accounts/types.ts'
import { chatOperations } from './chat.ts'
import { creditOperations } from './credits.ts'
import { deskOperations } from './desk.ts'
import { ideaOperations, type LabDatabase } from './ideas.ts'
import { runOperations } from './runs.ts'
import type { LabRunStore } from './runTypes.ts'
import type { LabStore } from './types.ts'

/** Accounts, with the ideas, runs and credits of LAB. */
export type LabAccounts = AccountStore & { readonly lab: LabStore & LabRunStore }

/** All operations on the ideas, runs and credits of LAB. */
export const labOperations = (database: LabDatabase): LabAccounts['lab'] => ({
  ...ideaOperations(database),
  ...chatOperations(database),
  ...runOperations(database),
  ...creditOperations(database),
  ...deskOperations(database),
})
