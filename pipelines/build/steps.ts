import { runBeside } from '../../src/engine/beside.ts'
import type { Database } from '../../src/engine/database.ts'

/** Models in the order of their building: the branches of a step do not read each other. */
export type Steps<Model extends string = string> = readonly (readonly (readonly Model[])[])[]

/** What to do after each model, on the connection that built it: such as to drop what it read. */
export type AfterModel = (model: string, connection: Database) => Promise<void>

export const doNothing: AfterModel = async () => {}

/** Builds models step by step, the branches of each step at the same time. */
export async function buildSteps(
  db: Database,
  steps: Steps,
  build: (connection: Database, model: string) => Promise<void>,
): Promise<void> {
  for (const branches of steps) {
    const works = branches.map(models => async (connection: Database) => {
      for (const model of models) await build(connection, model)
    })
    await runBeside(db, works)
  }
}
