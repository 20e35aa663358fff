import type { Database, DatabaseAside } from '../../src/engine/database.ts'

/** Tables that every step reads as they are. */
const SHARED_TABLES = [
  ...['tape.conditions', 'tape.open_interest', 'tape.dealer_positions', 'tape.carried_positions'],
  ...['tape.rates', 'tape.previous_close', 'tape.session', 'tape.set_apart', 'tape.silent_codes'],
  'tape.expiries',
] as const

/** The databases of a running session: one for each work, for a table keeps its columns. */
export type Desks = {
  readonly db: Database
  /** Finds what cancels take off. */
  readonly cancelling: DatabaseAside
  /** Judges the quotes beside prints. */
  readonly judging: DatabaseAside
  readonly folding: DatabaseAside
  /** Tells what each order may have added to the book other than it reads. */
  readonly doubting: DatabaseAside
  /** Prices states and finds their levels. */
  readonly pricing: DatabaseAside
  /** Places orders against the states. */
  readonly placing: DatabaseAside
}

/** Opens them, each with what all read as it is. */
export async function openDesks(db: Database): Promise<Desks> {
  const open = async (name: string, isOfOneRound = true) => {
    const desk = await db.aside(name, { isOfOneRound })
    for (const table of SHARED_TABLES) await desk.viewFrom(table)
    return desk
  }
  return {
    db,
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
