import type { Row } from '../../src/core/engine/database.ts'
import type { FoldDb } from './fold.ts'

/** Violations of the rules of a fold, in words that name the prints. */
export type FoldFault = {
  readonly kind: 'lost' | 'doubled' | 'invented' | 'unequal' | 'refused' | 'broken'
  /** Sequences of the prints it concerns; none where it is not one of prints. */
  readonly sequences: readonly number[]
  readonly words: string
}

/** The audits that a fold alone can be held to. */
const FOLD_AUDITS = ['prints_are_conserved', 'legs_equal_their_prints']

/** Folds exactly these prints. */
export async function foldAlone(db: FoldDb, rows: readonly Row[]): Promise<void> {
  await db.run('truncate tape.prints')
  await db.addPrints(rows)
  await db.fold()
}

/** Folds exactly these prints and says what is wrong with the orders; nothing when all is well. */
export async function faultsOfTape(db: FoldDb, rows: readonly Row[]): Promise<FoldFault[]> {
  try {
    await foldAlone(db, rows)
  } catch (error) {
    return [{ kind: 'broken', sequences: [], words: `the fold broke: ${error}` }]
  }
  return faultsOfFold(db)
}

/** Faults of the orders in the database. */
export async function faultsOfFold(db: FoldDb): Promise<FoldFault[]> {
  const prints = await db.rows(ODD_PRINTS)
  const faults: FoldFault[] = (['lost', 'doubled', 'invented'] as const)
    .map(kind => ({ kind, odd: prints.filter(row => row.kind === kind) }))
    .filter(({ odd }) => odd.length > 0)
    .map(({ kind, odd }) => {
      const sequences = odd.map(row => Number(row.sequence))
      return { kind, sequences, words: `prints ${kind}: ${sequences.join(', ')}` }
    })
  for (const row of await db.rows(UNEQUAL_CONTRACTS)) {
    faults.push({ kind: 'unequal', sequences: [], words: `contracts of ${JSON.stringify(row)}` })
  }
  for (const audit of FOLD_AUDITS) {
    for (const row of await db.audit(audit)) {
      faults.push({ kind: 'refused', sequences: [], words: `${audit}: ${JSON.stringify(row)}` })
    }
  }
  return faults
}

/** Everything a fold says of its orders, in an order of its own. */
export async function listOrders(db: FoldDb) {
  return {
    orders: await db.rows('from fold.parent_orders order by order_id'),
    prints: await db.rows('from fold.order_prints order by sequence, order_id'),
    legs: await db.rows('from fold.legs order by order_id, leg_number'),
    fates: await db.rows('from fold.print_fates order by sequence'),
  }
}

const ODD_PRINTS = `
  with kept as (select sequence from fold.print_fates where fate = 'kept'),
  placed as (select sequence, count(*) as places from fold.order_prints group by sequence)
  select
    sequence::bigint as sequence,
    case when placed.places is null then 'lost' when kept.sequence is null then 'invented'
      else 'doubled' end as kind
  from kept full join placed using (sequence)
  where placed.places is distinct from 1 or kept.sequence is null
  order by sequence`

const UNEQUAL_CONTRACTS = `
  with printed as (
    select root, expiry, strike, option_type, sum(prints.size)::bigint as printed
    from fold.print_fates as fates inner join tape.prints as prints using (sequence)
    where fates.fate = 'kept' group by all
  ),
  folded as (
    select root, expiry, strike, option_type, sum(contracts)::bigint as folded
    from fold.legs group by all
  )
  from printed full join folded using (root, expiry, strike, option_type)
  where printed is distinct from folded order by all`
