import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { STRUCTURE_NAMES } from '../../../pipelines/simulate/structures.ts'
import { type SimulatedFolder, simulateSmall } from '../../support/simulated.ts'
import { structureName } from '../../support/structureNames.ts'

const LEGS = "('f', 'g', 'h', 'i', 'j', 'l', 'm', 't')"
/** Every current print with its order and leg. */
const JOINED = `
  {prints} as print
  inner join {truth_prints} as truth using (sequence)
  inner join {truth_parents} as parent using (parent_id)
  inner join {truth_legs} as leg
    on leg.parent_id = truth.parent_id and leg.leg_number = truth.leg_number`

let tape: SimulatedFolder
beforeAll(async () => {
  tape = await simulateSmall({ tape: 'noisy', contracts: 4000 })
})
afterAll(() => tape.remove())

test('the truth accounts for every print but cancels, once', async () => {
  const [row] = await tape.rows(`
    select
      count(*) filter (where print.condition in ('A', 'C', 'E', 'G')) as cancels,
      count(*) filter (where truth.sequence is null) as unaccounted,
      count(*) - count(distinct sequence) as twice,
      (select count(*) from {truth_prints} anti join {prints} using (sequence)) as invented,
      (select count(*) from {truth_prints} where is_cancelled) as cancelled
    from {prints} as print left join {truth_prints} as truth using (sequence)`)
  expect(row!.cancels).toBeGreaterThan(2)
  expect(row).toMatchObject({
    unaccounted: row!.cancels,
    cancelled: row!.cancels,
    twice: 0,
    invented: 0,
  })
})

test('a print is of the contract of its leg', async () => {
  const bad = await tape.rows(`
    select sequence from ${JOINED}
    where (print.root, print.expiry, print.strike, print.option_type)
      <> (leg.root, leg.expiry, leg.strike, leg.option_type)`)
  expect(bad).toEqual([])
})

test("each fill is whole: sizes in ratio, net its order's, or rarely a cent off", async () => {
  const fills = await tape.rows(`
    with legs as (
      select parent_id, fill_number, truth.leg_number, any_value(leg.ratio) as ratio,
        any_value(leg.package_sign) as sign, sum(print.size) as contracts,
        sum(print.size * round(print.price * 100)::bigint) as cents,
        any_value(structure) as structure, any_value(leg_count) as leg_count,
        any_value(round(net_price * 100)) as net_cents
      from ${JOINED}
      where print.condition in ${LEGS} and not is_cancelled
      group by all
    )
    select parent_id, fill_number, count(*) = any_value(leg_count) as is_whole,
      max(contracts / ratio) - min(contracts / ratio) as unbalanced,
      sum(sign * cents) / min(contracts / ratio) - any_value(net_cents) as off_net,
      any_value(net_cents) % case when any_value(structure) = 'box' then 1 else 5 end as off_grid
    from legs group by parent_id, fill_number`)
  expect(fills.length).toBeGreaterThan(200)
  // a leg that was cancelled and reported again may leave its fill short
  expect(fills.filter(fill => !fill.is_whole).length).toBeLessThan(5)
  const whole = fills.filter(fill => fill.is_whole)
  expect(whole.filter(fill => fill.unbalanced !== 0)).toEqual([])
  const mixed = whole.filter(fill => fill.off_net !== 0)
  expect(mixed.filter(fill => Math.abs(Number(fill.off_net)) !== 1)).toEqual([])
  expect(mixed.length).toBeLessThan(0.02 * whole.length)
  const countOrders = (of: typeof whole) => new Set(of.map(fill => fill.parent_id)).size
  const offGrid = whole.filter(fill => fill.off_grid !== 0)
  expect(countOrders(offGrid)).toBeLessThan(0.02 * countOrders(whole))
})

test('a few packages in a thousand trade off the price grid, and boxes at any cent', async () => {
  const large = await simulateSmall({ prints: 40_000 })
  const [row] = await large.rows(`
    with packages as (
      select structure, abs(round(net_price * 100)::bigint) % 5 <> 0 as is_off
      from {truth_parents}
      where structure <> 'single' and print_class in ('electronic', 'floor', 'auction', 'late')
    )
    select
      avg(is_off::integer) filter (where structure <> 'box') as off_share,
      avg(is_off::integer) filter (where structure = 'box') as off_boxes
    from packages`)
  large.remove()
  expect(row!.off_share).toBeGreaterThan(0.0005)
  expect(row!.off_share).toBeLessThan(0.01)
  expect(row!.off_boxes).toBeGreaterThan(0.5)
})

test('the fills of an order together are its size', async () => {
  const bad = await tape.rows(`
    select parent_id from {truth_parents} as parent
    inner join (select parent_id, sum(ratio) as unit from {truth_legs} group by parent_id) as legs
      using (parent_id)
    where cancelled_count = 0 and contracts <> size * unit`)
  expect(bad).toEqual([])
})

test('single prints of regular hours are on the tick grid, most legs are not', async () => {
  const [row] = await tape.rows(`
    select
      avg((abs(price * 20 - round(price * 20)) < 1e-9)::int)
        filter (where condition in ('I', 'S', 'a', 'b', 'e')) as singles_on,
      avg((abs(price * 20 - round(price * 20)) < 1e-9)::int) filter (where condition in ${LEGS})
        as legs_on
    from {prints}`)
  expect(row!.singles_on).toBe(1)
  expect(row!.legs_on).toBeLessThan(0.5)
})

test('the NBBO of a print stood strictly before it', async () => {
  const bad = await tape.rows(`
    select sequence from {prints}
    where quoted_at >= printed_at or printed_at - quoted_at > interval 5 seconds
      or best_bid >= best_ask or (best_bid is null) <> (bid_size is null) or price <= 0`)
  expect(bad).toEqual([])
})

test('sequence follows time, with gaps that do not tell orders apart', async () => {
  const [row] = await tape.rows(`
    with steps as (
      select *, sequence - lag(sequence) over in_order as step,
        printed_at < lag(printed_at) over in_order as is_back,
        parent_id = lag(parent_id) over in_order as is_same
      from {prints} inner join {truth_prints} using (sequence)
      window in_order as (order by sequence)
    )
    select count(*) filter (where is_back) as back,
      avg((step > 1)::int) filter (where is_same) as gaps_inside,
      avg((step > 1)::int) filter (where not is_same) as gaps_between
    from steps`)
  expect(row!.back).toBe(0)
  expect(Math.abs(Number(row!.gaps_inside) - Number(row!.gaps_between))).toBeLessThan(0.06)
})

test('prints come from the overnight session, regular hours and the curb', async () => {
  const [row] = await tape.rows(`
    select
      count(*) filter (where printed_at < '2026-10-15 13:25') as overnight,
      count(*) filter (where printed_at >= '2026-10-15 13:25'
        and printed_at < '2026-10-15 13:30') as gap,
      count(*) filter (where printed_at >= '2026-10-15 20:15' and condition <> 'u') as curb,
      min(printed_at) >= '2026-10-15 00:15' as is_after_start
    from {prints}`)
  expect(row!.overnight).toBeGreaterThan(20)
  expect(row!.curb).toBeGreaterThan(0)
  expect(row).toMatchObject({ gap: 0, is_after_start: true })
})

describe('a larger tape', () => {
  let large: SimulatedFolder
  beforeAll(async () => {
    large = await simulateSmall({ prints: 40_000, contracts: 6000, tape: 'busy' })
  })
  afterAll(() => large.remove())

  test('letters come in the shares of the market', async () => {
    const shares = await large.rows(`
      select condition, count(*) / (select count(*) from {prints}) as share
      from {prints} group by condition`)
    const share = (letters: string) =>
      shares
        .filter(row => letters.includes(String(row.condition)))
        .reduce((sum, row) => sum + Number(row.share), 0)
    expect(share('fghijlmt')).toBeGreaterThan(0.29)
    expect(share('fghijlmt')).toBeLessThan(0.35)
    expect(share('f')).toBeGreaterThan(share('j'))
    expect(share('imt')).toBeGreaterThan(0.003)
    expect(share('gl')).toBeGreaterThan(0.01)
    expect(share('BD')).toBeGreaterThan(0.001)
    expect(share('ACEG')).toBeLessThan(0.001)
    for (const letter of 'fjglhimtIabScBDACu') expect(share(letter), letter).toBeGreaterThan(0)
  })

  test('every structure is traded, and its legs have its name', async () => {
    const legs = await large.rows(`
      select parent_id, structure, is_hedged_with_combo, leg.root, leg.expiry::varchar as expiry,
        leg.strike, leg.option_type, leg.ratio, leg.customer_sign, leg.package_sign
      from {truth_parents} inner join {truth_legs} as leg using (parent_id)
      where print_class not in ('cross', 'compression')`)
    const packages = Map.groupBy(legs, row => row.parent_id)
    const wrong = [...packages.values()].filter(rows => {
      const { name, hasCombo } = structureName(
        rows.map(row => ({
          expiry: `${row.expiry} ${row.root}`,
          type: String(row.option_type),
          strike: Number(row.strike),
          quantity: Number(row.ratio) * Number(row.customer_sign || row.package_sign),
        })),
      )
      return name !== rows[0]!.structure || hasCombo !== rows[0]!.is_hedged_with_combo
    })
    expect(wrong).toEqual([])
    const seen = new Set(legs.map(row => row.structure))
    expect(STRUCTURE_NAMES.filter(name => !seen.has(name))).toEqual([])
    expect(legs.some(row => row.is_hedged_with_combo)).toBe(true)
  })

  test('a price reveals the side of a single about two times in three', async () => {
    const [row] = await large.rows(`
      select avg((sign(price - (best_bid + best_ask) / 2) = customer_sign)::int) as hit
      from {prints} inner join {truth_prints} using (sequence)
        inner join {truth_parents} using (parent_id)
      where condition = 'I' and customer_sign <> 0
        and abs(price - (best_bid + best_ask) / 2) > 0.1 * (best_ask - best_bid)`)
    expect(row!.hit).toBeGreaterThan(0.6)
    expect(row!.hit).toBeLessThan(0.72)
  })

  test("a cancel repeats its target, and its letter gives the target's position", async () => {
    const cancels = await large.rows(`
      with cancels as (
        select cancel.*, target.sequence as target_sequence, target.printed_at as target_at
        from {prints} as cancel
        inner join {prints} as target
          using (root, expiry, strike, option_type, size, price, trade_id)
        where cancel.condition in ('A', 'C', 'E', 'G') and target.condition <> cancel.condition
      )
      select condition, target_at < cancels.printed_at as is_later, is_cancelled,
        (select count(*) from {prints} as other
          where (other.root, other.expiry, other.strike, other.option_type)
              = (cancels.root, cancels.expiry, cancels.strike, cancels.option_type)
            and other.sequence < target_sequence) as before,
        (select count(*) from {prints} as other
          where (other.root, other.expiry, other.strike, other.option_type)
              = (cancels.root, cancels.expiry, cancels.strike, cancels.option_type)
            and other.sequence > target_sequence and other.sequence < cancels.sequence) as after
      from cancels inner join {truth_prints} as truth on truth.sequence = target_sequence`)
    const [count] = await large.rows(
      `select count(*) as n from {prints} where condition in ('A', 'C', 'E', 'G')`,
    )
    expect(cancels).toHaveLength(Number(count!.n))
    expect(cancels.filter(row => !row.is_later || !row.is_cancelled)).toEqual([])
    const letter = (before: number, after: number) =>
      before + after === 0 ? 'G' : after === 0 ? 'C' : before === 0 ? 'E' : 'A'
    const wrong = cancels.filter(
      row => row.condition !== letter(Number(row.before), Number(row.after)),
    )
    expect(wrong).toEqual([])
  })
})

test('without conditions no letter or identifier is shown, and cancels are settled', async () => {
  const hidden = await simulateSmall({ tape: 'noisy', contracts: 4000, hasConditions: false })
  const [row] = await hidden.rows(`
    select count(condition) + count(vendor_condition) + count(trade_id) as shown, count(*) as n
    from {prints}`)
  const [open] = await tape.rows(`
    select count(*) as n from {prints} anti join
      (select sequence from {truth_prints} where is_cancelled) using (sequence)
    where condition not in ('A', 'C', 'E', 'G')`)
  expect(row).toEqual({ shown: 0, n: open!.n })
  const [truth] = await hidden.rows('select count(*) as n from {truth_prints}')
  expect(truth!.n).toBe(row!.n)
  hidden.remove()
})

test('millisecond stamps keep the order and the quotes before the prints', async () => {
  const rounded = await simulateSmall({ stamps: 'ms', prints: 2000 })
  const [row] = await rounded.rows(`
    select count(*) filter (where epoch_us(printed_at) % 1000 <> 0) as finer,
      count(*) filter (where quoted_at >= printed_at) as not_before
    from {prints}`)
  expect(row).toEqual({ finer: 0, not_before: 0 })
  rounded.remove()
})

test('quotes 15 minutes behind tell almost nothing of the side', async () => {
  const late = await simulateSmall({ quoteDelay: 'unstated', prints: 20_000 })
  const [row] = await late.rows(`
    select count(quoted_at) as dated,
      avg((sign(price - (best_bid + best_ask) / 2) = customer_sign)::int) as hit
    from {prints} inner join {truth_prints} using (sequence)
      inner join {truth_parents} using (parent_id)
    where condition = 'I' and best_bid > 1`)
  expect(row!.dated).toBe(0)
  expect(Math.abs(Number(row!.hit) - 0.5)).toBeLessThan(0.05)
  late.remove()
})
