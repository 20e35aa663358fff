import { afterEach, expect, test, vi } from 'vitest'
import { reportFailure } from '../../src/core/command.ts'

afterEach(() => void vi.restoreAllMocks())

/** A failure of the system, as Node reports it. */
const failed = (code: string, path?: string) =>
  Object.assign(new Error(`${code}: read`), { code, syscall: 'read', ...(path && { path }) })

test.each([
  [failed('EIO', 'a.csv'), 'a.csv cannot be used: the disk does not read or write it.'],
  [failed('ESTALE', 'a.csv'), 'a.csv cannot be used (ESTALE).'],
  [new Error('Out of Memory Error: failed to pin block'), 'there is not enough memory'],
  [new Error('IO Error: Could not write: No space left on device'), 'the disk is full'],
  [new Error('IO Error: Could not read: Input/output error'), 'the disk does not read or write'],
  [new Error('IO Error: Cannot open: Too many open files'), 'too many files are open'],
])('what a machine lacks is one sentence, without a stack: %s', (error, sentence) => {
  const reported: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation(text => reported.push(String(text)) > 0)
  expect(reportFailure(error)).toBe(1)
  const end = sentence.endsWith('.') ? '' : '; nothing was published.'
  expect(reported).toEqual([`tapefold: ${sentence}${end}\n`])
})

test('a failure of our own keeps its stack', () => {
  const reported: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation(text => reported.push(String(text)) > 0)
  expect(reportFailure(new TypeError('x is not a function'))).toBe(1)
  expect(reported[0]).toMatch(/TypeError: x is not a function\n +at /)
})
