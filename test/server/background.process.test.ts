import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createBackground } from '../../src/server/background.ts'

type Line = { readonly level: string; readonly work: unknown; readonly err: unknown }

function open() {
  const lines: Line[] = []
  const clock = { atMs: 1000 }
  const write = (level: string) => (fields: object) => {
    lines.push({ level, ...(fields as { work: unknown; err: unknown }) })
  }
  const log = { info: write('info'), error: write('error') }
  return { lines, clock, background: createBackground({ log, nowMs: () => clock.atMs }) }
}

const failing = (code: string) => () => {
  throw Object.assign(new Error(`${code}: no, open '/srv/secret'`), { code })
}

test('a failure is logged once a kind, reported while it lasts, and its end is logged', async () => {
  const { lines, clock, background } = open()
  await background.run('count', failing('EMFILE'))
  clock.atMs = 2000
  await background.run('count', failing('EMFILE'))
  expect(lines.map(({ level }) => level)).toEqual(['error'])
  expect(background.faults()).toMatchObject([{ work: 'count', code: 'EMFILE', sinceMs: 1000 }])
  await background.run('count', failing('EIO'))
  expect(lines.map(({ level }) => level)).toEqual(['error', 'error'])
  expect(background.faults()).toMatchObject([{ work: 'count', code: 'EIO', sinceMs: 1000 }])
  await background.run('count', () => {})
  await background.run('count', () => {})
  expect(lines.map(({ level }) => level)).toEqual(['error', 'error', 'info'])
  expect(background.faults()).toEqual([])
})

test('errors that differ in their figures alone are one kind', async () => {
  const { lines, background } = open()
  for (const count of [1, 2, 30]) {
    await background.run('count', async () => {
      throw new Error(`waited ${count} ms`)
    })
  }
  expect(lines).toHaveLength(1)
  expect(background.faults()).toMatchObject([{ work: 'count', code: null }])
})

test('what is thrown need not be an error', async () => {
  const { background } = open()
  await background.run('one', () => Promise.reject(undefined))
  await background.run('two', () => {
    throw 'text'
  })
  expect(background.faults().map(({ work }) => work)).toEqual(['one', 'two'])
})

test('work that repeats goes on after it failed, and never runs twice at a time', async () => {
  const { background } = open()
  let [runs, atOnce, most] = [0, 0, 0]
  await new Promise<void>(done => {
    const stop = background.every('count', 1, async () => {
      runs++
      most = Math.max(most, ++atOnce)
      await new Promise(ended => setTimeout(ended, 5))
      atOnce--
      if (runs === 4) {
        stop()
        done()
      }
      throw new Error('as ever')
    })
  })
  expect([runs, most]).toEqual([4, 1])
})

test('a process outlives errors that nothing caught, and reports the first of a kind', async () => {
  const script = `
    import { createBackground, outliveErrors } from './src/server/background.ts'
    const log = { info() {}, error: ({ err }) => console.log(err.split('\\n')[0]) }
    const background = createBackground({ log, nowMs: () => 7 })
    outliveErrors(background)
    setTimeout(() => { throw new Error('thrown') })
    setTimeout(() => { throw new Error('thrown') }, 20)
    setTimeout(() => { Promise.reject(new TypeError('rejected')) }, 40)
    setTimeout(() => console.log(JSON.stringify(background.faults())), 80)`
  const args = ['--input-type=module', '-e', script]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const [thrown, rejected, faults, ...rest] = stdout.trim().split('\n')
  expect([thrown, rejected, rest]).toEqual(['Error: thrown', 'TypeError: rejected', []])
  expect(JSON.parse(faults!)).toMatchObject([{ work: 'catch every error', sinceMs: 7 }])
})
