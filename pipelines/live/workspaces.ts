import type { Database } from '../../src/engine/database.ts'
import { SHARED_TABLES, type Workspaces } from './handoffs.ts'

/** Opens the databases of a running session: one for each work, for a table keeps its columns. */
export async function openWorkspaces(main: Database): Promise<Workspaces> {
  const open = async (name: string, isOfOneRound = true) => {
    const space = await main.openSeparate(name, { isOfOneRound })
    for (const table of SHARED_TABLES) await space.viewFrom(table)
    return space
  }
  return {
    main,
    // as it stands until another cancel comes
    cancelling: await open('cancelling', false),
    judging: await open('judging'),
    folding: await open('folding'),
    doubting: await open('doubting'),
    // what is held at the open is made once
    pricing: await open('pricing', false),
    placing: await open('placing'),
  }
}
