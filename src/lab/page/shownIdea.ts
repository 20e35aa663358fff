import type { LabIdea, LabJob, LabState } from '../schema.ts'
import type { DrawnIdea } from './deskPart.ts'
import type { FormRefusal } from './pageDeps.ts'
import type { Exchange } from './retell.ts'

/** One idea, as its page shows it. */
export type ShownIdea = {
  readonly idea: LabIdea
  readonly state: LabState
  readonly exchanges: readonly Exchange[]
  /** How many were said before those. */
  readonly earlier: number
  /** A test of it that has just failed; null: none has. */
  readonly failed: LabJob | null
  /** Why a form was refused. */
  readonly refused: FormRefusal | null
  /** What was typed into the form that was refused. */
  readonly typed: string
  /** What it draws of the newest session; null: nothing. */
  readonly drawn: DrawnIdea | null
}
