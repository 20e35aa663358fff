import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DamagedBlocks, encodeBlocks, openBlocks } from '../../../src/lab/market/blocks.ts'

let folder = ''
let path = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapefold-blocks-'))
  path = join(folder, 'blocks.bin')
})
afterAll(() => rmSync(folder, { recursive: true }))

const numbers = fc.uint16Array({ minLength: 1, maxLength: 40 })
const blocks = fc.record({
  doubles: fc.float64Array({ maxLength: 30 }),
  wholes: fc.int32Array({ maxLength: 30 }),
  steps: fc.uint32Array({ maxLength: 30 }),
  ages: fc.uint8Array({ maxLength: 30 }),
  parts: fc.array(numbers, { minLength: 1, maxLength: 5 }).map(parts => {
    const length = parts[0]!.length
    return parts.map(part => Uint16Array.from({ length }, (_, at) => part[at] ?? 0))
  }),
})

test('what was written is read, first, later or in parts', () => {
  fc.assert(
    fc.property(blocks, ({ parts, ...whole }) => {
      const joined = Uint16Array.from(parts.flatMap(part => [...part]))
      const drafts = Object.fromEntries(
        Object.entries(whole).map(([name, values]) => [name, { values }]),
      )
      const draft = { values: joined, parts: parts.length }
      writeFileSync(path, encodeBlocks({ of: 'all' }, { ...drafts, joined: draft }))
      const file = openBlocks(path, ['doubles', 'ages', 'not there'])!
      expect(file.about).toEqual({ of: 'all' })
      expect(file.first).toEqual({ doubles: whole.doubles, ages: whole.ages })
      expect(file.read('wholes')).toEqual(whole.wholes)
      expect(file.read('steps')).toEqual(whole.steps)
      expect(file.read('joined')).toEqual(joined)
      for (const [index, part] of parts.entries()) {
        expect(file.readPart('joined', index)).toEqual(part)
      }
    }),
  )
})

test('a block behind the first bytes is read as well', () => {
  const large = Float64Array.from({ length: 100_000 }, (_, at) => at)
  const last = Int32Array.of(1, 2, 3)
  const drafts = { large: { values: large }, last: { values: last } }
  writeFileSync(path, encodeBlocks(null, drafts))
  expect(openBlocks(path, ['last', 'large'])!.first).toEqual({ large, last })
})

test('any byte that is another one is found: when it is opened, or when it is read', () => {
  const drafts = {
    first: { values: Float64Array.of(1, 2, 3) },
    later: { values: Uint16Array.from({ length: 64 }, (_, at) => at), parts: 4 },
  }
  const bytes = encodeBlocks({ day: '2026-10-14' }, drafts)
  const readAll = () => {
    const file = openBlocks(path, ['first'])
    if (!file) return null
    return [
      file.first,
      file.read('later'),
      ...[0, 1, 2, 3].map(part => file.readPart('later', part)),
    ]
  }
  writeFileSync(path, bytes)
  const valid = readAll()
  expect(valid).not.toBeNull()
  let found = 0
  for (let at = 0; at < bytes.length; at++) {
    const other = Buffer.from(bytes)
    other[at]! ^= 1
    writeFileSync(path, other)
    try {
      const read = readAll()
      if (read === null) found++
      // bytes between blocks are looked at by nobody
      else expect(read).toEqual(valid)
    } catch (error) {
      expect(error).toBeInstanceOf(DamagedBlocks)
      expect(openBlocks(path, [])).toBeNull()
      found++
    }
  }
  expect(found).toBeGreaterThanOrEqual(bytes.length - 16)
})

test('a file that was cut anywhere, or has more at its end, is none', () => {
  const bytes = encodeBlocks(null, { one: { values: Float64Array.of(1, 2) } })
  for (let length = 0; length < bytes.length; length++) {
    writeFileSync(path, bytes.subarray(0, length))
    expect(openBlocks(path, ['one'])).toBeNull()
  }
  writeFileSync(path, Buffer.concat([bytes, Buffer.of(0)]))
  expect(openBlocks(path, ['one'])).toBeNull()
  expect(openBlocks(join(folder, 'none.bin'), [])).toBeNull()
})

test('a block that is gone once it is wanted says so', () => {
  writeFileSync(path, encodeBlocks(null, { one: { values: Float64Array.of(1, 2) } }))
  const file = openBlocks(path, [])!
  rmSync(path)
  expect(() => file.read('one')).toThrow(/blocks\.bin is damaged or gone: it is made anew/)
  expect(() => file.read('two')).toThrow(DamagedBlocks)
})

test('the same columns are the same bytes', () => {
  const draft = { one: { values: Float64Array.of(Number.NaN, -0, 1) } }
  writeFileSync(path, encodeBlocks({ a: 1 }, draft))
  expect(readFileSync(path).equals(encodeBlocks({ a: 1 }, draft))).toBe(true)
})
