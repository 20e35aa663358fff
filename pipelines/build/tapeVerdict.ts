import { Refusal } from '../../src/core/disk/refusal.ts'
import type { Database, Row } from '../../src/core/engine/database.ts'
import { formatRows } from '../../src/data/published/analyst.ts'
import type { TapeGrade } from '../../src/data/published/manifest.ts'

/** Tape report of a built session. */
export type TapeVerdict = TapeGrade & {
  /** Why the tape cannot carry a ledger; none when it can. */
  readonly refusals: readonly string[]
  /** Every measure with its limits, as a table for a terminal. */
  readonly table: string
  /** The same for the measures that are not good, with the number of the others. */
  readonly brief: string
}

/** Reads `ledger.tape_findings` and `ledger.tape_report` of a build. */
export async function readTapeVerdict(db: Database): Promise<TapeVerdict> {
  const [report] = await db.rows('from ledger.tape_report')
  const refused = await db.query('views/tape_refusals')
  const findings = await db.query('views/tape_findings')
  return {
    grade: report!.grade as TapeGrade['grade'],
    reasons: report!.grade_reasons as string[],
    refusals: refused.map(row => String(row.reason)),
    table: formatTable(findings),
    brief: formatBrief(findings),
  }
}

const formatTable = (findings: readonly Row[]): string =>
  formatRows({ names: Object.keys(findings[0]!), rows: findings }, 'table')

function formatBrief(findings: readonly Row[]): string {
  const counts = Map.groupBy(findings, ({ grade }) => grade)
  const countGrade = (grade: string) => counts.get(grade)?.length ?? 0
  const [good, unknown] = [countGrade('good'), countGrade('')]
  const others = findings.filter(({ grade }) => grade !== 'good' && grade !== '')
  const not = unknown === 0 ? '' : `, ${unknown} could not be taken`
  const line = `  ${good} measures are good${not} (all with --verbose)`
  return others.length === 0 ? line : `${formatTable(others)}${line}`
}

/** Refuses a tape that cannot carry a ledger at all, whatever its other findings. */
export function refuseTape(date: string, { refusals }: TapeVerdict): void {
  if (refusals.length === 0) return
  throw new Refusal(
    `the tape of ${date} is too incomplete for a ledger (${refusals.join('; ')}): ` +
      'import what is missing, or publish it marked as bad, without --refuse-bad-tape.',
  )
}
