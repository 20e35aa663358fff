import type { Database } from '../../src/core/engine/database.ts'
import { SHARED_TABLES, type Workspaces } from './handoffs.ts'

/** Opens the databases of a running session: one per task, as a table's columns never change. */
export async function openWorkspaces(main: Database): Promise<Workspaces> {
  const open = async (name: string, isOfOneRound = true) => {
    const space = await main.openSeparate(name, { isOfOneRound })
    for (const table of SHARED_TABLES) await space.viewFrom(table)
    return space
  }
  return {
    main,
    // unchanged until another cancel comes
    cancelling: await open('cancelling', false),
    judging: await open('judging'),
    folding: await open('folding'),
    estimating: await open('estimating'),
    // positions at the open are computed once
    pricing: await open('pricing', false),
    matching: await open('matching'),
  }
}
