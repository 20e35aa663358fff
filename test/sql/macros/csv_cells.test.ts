import { expect, test } from 'vitest'
import { openTestDb } from '../../support/db.ts'
import { randomNumbers } from '../../support/random.ts'

/** Cells of a line by RFC 4180, read a character at a time; null where it is not one. */
function readCells(line: string): string[] | null {
  const cells: string[] = []
  let at = 0
  for (;;) {
    let cell = ''
    if (line[at] === '"') {
      at += 1
      for (;;) {
        const end = line.indexOf('"', at)
        if (end < 0) return null
        cell += line.slice(at, end)
        at = end + 1
        if (line[at] !== '"') break
        cell += '"'
        at += 1
      }
      if (at < line.length && line[at] !== ',') return null
    } else {
      const end = line.indexOf(',', at)
      cell = line.slice(at, end < 0 ? line.length : end)
      if (cell.includes('"')) return null
      at += cell.length
    }
    cells.push(cell)
    if (at >= line.length) return cells
    at += 1
  }
}

test('cells of a line are those of RFC 4180, however they are quoted', async () => {
  const db = await openTestDb()
  const random = randomNumbers(4180)
  const parts = ['"', '""', ',', 'a', '"a"', '"a,b"', ' ', '1.5', '"a""b"', ',,', '",']
  const lines = Array.from({ length: 5000 }, () =>
    Array.from(
      { length: Math.floor(random() * 8) },
      () => parts[Math.floor(random() * parts.length)],
    ).join(''),
  )
  const rows = await db.rows(
    `select csv_cells(line) as cells
     from (select unnest(from_json($lines, '["varchar"]')) as line)`,
    { lines: JSON.stringify(lines) },
  )
  expect(rows.map(row => row.cells)).toEqual(lines.map(readCells))
})
