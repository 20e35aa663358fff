import { expect, test } from 'vitest'
import { type BookContract, buildToyBooks } from '../../support/books.ts'
import { readVectors } from '../../support/shared.ts'
import { openSessionDb, worstError } from '../../support/surface.ts'

const { books } = readVectors('flip_books')

type VectorContract = Record<'root' | 'exp' | 'K' | 'cp' | 'iv' | 'F' | 'DF', string> & {
  q: number
  secs: number
}

/** Every book at a minute of its own; expiries are shifted so that no book sees another. */
const contracts: BookContract[] = books.flatMap(
  (book: { contracts: VectorContract[] }, number: number) =>
    book.contracts.map(contract => ({
      minute_et: `10:0${number}`,
      root: contract.root,
      expiry: `20${30 + number}-${contract.exp.slice(5)}`,
      strike: Number(contract.K),
      option_type: contract.cp,
      quantity: contract.q,
      vol: Number(contract.iv),
      seconds_left: contract.secs,
      forward: Number(contract.F),
      discount: Number(contract.DF),
    })),
)

async function openBooks() {
  const db = await openSessionDb('2026-10-14')
  const spots = books.map((book: { S0: string }, number: number) => ({
    minute_et: `10:0${number}`,
    spot: Number(book.S0),
  }))
  await buildToyBooks(db, spots, contracts)
  return db
}

test('toy books give the roots, flip, walls and regime that 60 digits give', async () => {
  const db = await openBooks()
  const levels = await db.rows(`
    select levels.*, flips.significant_roots
    from levels.levels as levels
    join surface.spots as spots using (minute_et)
    left join levels.flips as flips
      on flips.minute_at = spots.minute_at and flips.book_basis = levels.book_basis
      and flips.bucket = 'all'
    where levels.book_basis = 'measured' order by minute_et`)
  expect(levels).toHaveLength(books.length)
  for (const [number, book] of books.entries()) {
    const row = levels[number]!
    const near = (got: unknown, wanted: string[]) => {
      expect((got as number[]).length, `${book.name}: ${got} for ${wanted}`).toBe(wanted.length)
      for (const [i, root] of (got as number[]).entries()) {
        expect(Math.abs(root - Number(wanted[i])), book.name).toBeLessThan(0.01)
      }
    }
    near(row.flip_roots, book.all_roots)
    near(row.significant_roots, book.significant_roots)
    near(row.flip === null ? [] : [row.flip], book.flip === null ? [] : [book.flip])
    expect(row, book.name).toMatchObject({
      regime: book.regime,
      call_wall: Number(book.call_wall),
      put_wall: Number(book.put_wall),
      reason: book.flip === null ? 'no_root' : null,
    })
    const net = Number(row.net_gamma_musd_per_point) / Number(book.net_gamma_musd_per_pt)
    expect(Math.abs(net - 1), book.name).toBeLessThan(1e-9)
  }
})

test('profiles of the toy books are right to 1e-9 at every published level', async () => {
  const db = await openBooks()
  const scan = await db.rows(`
    select minute_et, index_point, dealer_gamma_musd_per_point as gamma
    from book.scan join tape.minutes using (minute_at)
    where book_basis = 'measured' and bucket = 'all'`)
  const at = new Map(scan.map(row => [`${row.minute_et} ${row.index_point}`, row.gamma]))
  const pairs = books.flatMap(
    (book: { name: string; profile: Record<string, string> }, number: number) =>
      Object.entries(book.profile).map(([point, wanted]) => ({
        got: at.get(`10:0${number} ${Number(point)}`),
        wanted: Number(wanted),
        name: `${book.name} ${point}`,
      })),
  )
  expect(pairs.length).toBeGreaterThan(20)
  const worst = worstError(pairs)
  expect(worst.error, `worst ${worst.error} at ${worst.name}`).toBeLessThan(1e-9)
})

test.each([
  // of 60 digits the first root is 6000.10, the second the middle by symmetry
  [5_985, 6_015, -3_000, 300, 60, 5_992],
  [5_900, 6_100, -5_000, 5_000, 300, 6_000],
])(
  '%d against %d with nothing between: the flip is in the middle, inside its bar',
  async (...row) => {
    const [put, call, puts, calls, seconds_left, spot] = row
    const one = { minute_et: '10:00', root: 'SPXW', expiry: '2030-10-14', vol: 0.15, seconds_left }
    const near = { ...one, forward: spot, discount: 1 }
    const db = await openSessionDb('2026-10-14')
    await buildToyBooks(
      db,
      [{ minute_et: '10:00', spot }],
      [
        { ...near, strike: put, option_type: 'P', quantity: puts },
        { ...near, strike: call, option_type: 'C', quantity: calls },
      ],
    )
    const [levels] = await db.rows(`
    select net_gamma_musd_per_point as net, flip, flip_lo, flip_hi, reason
    from levels.levels where minute_et = '10:00' and book_basis = 'measured'`)
    const { net, flip, flip_lo, flip_hi, reason } = levels as Record<string, number>
    expect(Math.abs(flip! - 6_000)).toBeLessThan(1)
    expect(net).not.toBeNull()
    expect(reason).not.toBe('empty_book')
    expect([flip_lo! <= flip!, flip! <= flip_hi!]).toEqual([true, true])
    expect(flip_hi! - flip_lo!).toBeGreaterThan(5)
  },
)
