import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sha256 } from '../../../src/core/disk/files.ts'
import { detectContent, isJson, readJson, writeLines } from '../../../src/core/disk/text.ts'
import { newFile, newFolder } from '../../support/import.ts'
import { randomNumbers } from '../../support/random.ts'

const LINES = 'a,b\n1,2\n'
/** More than one piece of what is unpacked at a time. */
const LONG = `symbol,price\r\n${Array.from({ length: 200_000 }, (_, n) => `SPXW,${n}\r\n`).join('')}`

/** The lines of a file, as an import reads them. */
async function lines(path: string) {
  const target = join(newFolder(), 'rows.csv')
  const content = detectContent(path, 'file')
  if (content === 'parquet' || content === 'zip') throw new Error(content)
  const hash = await writeLines(path, 'file', content, target)
  return { text: readFileSync(target, 'utf8'), hash, content }
}

test.each([
  ['gzip', gzipSync],
  ['zstd', zstdCompressSync],
] as const)('%s is read whole, whatever the file is called', async (content, pack) => {
  for (const text of [LINES, LONG]) {
    const bytes = pack(Buffer.from(text))
    expect(await lines(newFile('rows.csv', bytes))).toEqual({
      text: text.replaceAll('\r', ''),
      hash: sha256(bytes),
      content,
    })
  }
})

test('several frames of zstd are one text, also where a line begins in the one before', async () => {
  const frames = ['a,b\n1,', '2\n', '3,4\n'].map(text => zstdCompressSync(Buffer.from(text)))
  expect((await lines(newFile('rows.zst', Buffer.concat(frames)))).text).toBe('a,b\n1,2\n3,4\n')
})

test('frames of any length are one text: none is dropped, and what follows them is damage', async () => {
  const random = randomNumbers(48)
  for (let round = 0; round < 5; round++) {
    const texts = Array.from({ length: 1 + Math.floor(random() * 40) }, (_, frame) =>
      // incompressible, so that frames end anywhere within what is read at a time
      Array.from(
        { length: Math.floor(random() ** 4 * 30_000) },
        () => `${frame},${random()}\n`,
      ).join(''),
    )
    const bytes = Buffer.concat(texts.map(text => zstdCompressSync(Buffer.from(`a,b\n${text}`))))
    const all = texts.map(text => `a,b\n${text}`).join('')
    expect((await lines(newFile('rows.zst', bytes))).text === all).toBe(true)
    const cut = newFile('rows.zst', bytes.subarray(0, bytes.length - 2))
    await expect(lines(cut)).rejects.toThrow('file is cut short: its zstd data do not end.')
  }
  const followed = Buffer.concat([zstdCompressSync(Buffer.from(LINES)), Buffer.from('no frame')])
  await expect(lines(newFile('rows.zst', followed))).rejects.toThrow('file is damaged: its zstd')
})

test('zstd that is cut anywhere is refused, and so is what is damaged', async () => {
  const random = randomNumbers(47)
  const bytes = zstdCompressSync(Buffer.from(LONG))
  for (let round = 0; round < 20; round++) {
    const cut = newFile(
      'rows.zst',
      bytes.subarray(0, 8 + Math.floor(random() * (bytes.length - 9))),
    )
    await expect(lines(cut)).rejects.toThrow('file is cut short: its zstd data do not end.')
  }
  const damaged = Buffer.from(bytes)
  damaged.fill(0xff, 20, 60)
  await expect(lines(newFile('rows.zst', damaged))).rejects.toThrow(
    'file is damaged: its zstd data cannot be unpacked.',
  )
})

test('what is no table is refused inside its zstd, too', async () => {
  const packed = (text: string) => newFile('rows.zst', zstdCompressSync(Buffer.from(text)))
  await expect(lines(packed('<!doctype html><title>403</title>'))).rejects.toThrow('is a web page')
  await expect(lines(packed('{"error": "no data"}'))).rejects.toThrow('file is JSON, no table')
  await expect(lines(packed('DBN\u0001OPRA'))).rejects.toThrow('Databento DBN file; ask for CSV')
  await expect(lines(newFile('rows.zst', zstdCompressSync(gzipSync(LINES))))).rejects.toThrow(
    'file holds gzip data inside its zstd.',
  )
})

test('JSON is read packed or not, and refused where it is cut or too large', async () => {
  const text = '\uFEFF{"data": [1, 2]}'
  for (const pack of [Buffer.from, gzipSync, zstdCompressSync]) {
    const bytes = pack(text)
    const file = newFile('chain.json', bytes)
    expect(await isJson(file, 'file')).toBe(true)
    expect(await readJson(file, 'file', 1)).toEqual({
      value: { data: [1, 2] },
      sha256: sha256(bytes),
    })
    const large = newFile('large.json', pack(`{"data": "${'x'.repeat(2 ** 20)}"}`))
    await expect(readJson(large, 'file', 1)).rejects.toThrow('file has over 1 MiB of JSON')
  }
  await expect(readJson(newFile('cut.json', text.slice(0, 9)), 'file', 1)).rejects.toThrow(
    'file is cut short or damaged: no whole JSON; it begins with',
  )
  expect(await isJson(newFile('rows.csv', LINES), 'file')).toBe(false)
})
