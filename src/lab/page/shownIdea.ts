import type { LabIdea, LabJob, LabState } from '../schema.ts'
import type { DrawnIdea } from './deskPart.ts'
import type { FormRefusal } from './pageDeps.ts'
import type { Exchange } from './rereadThread.ts'

/** One idea, as its page shows it. */
export type ShownIdea = {
  readonly idea: LabIdea
  readonly state: LabState
  readonly exchanges: readonly Exchange[]
  /** Number of messages before those. */
  readonly earlier: number
  /** A test of it that has just failed; null: none has. */
  readonly failed: LabJob | null
  /** Reason why a form was refused. */
  readonly refused: FormRefusal | null
  /** Text typed into the refused form. */
  readonly typed: string
  /** Picture of the newest session; null: none. */
  readonly drawn: DrawnIdea | null
}
