import { expect, test } from 'vitest'
import { parsedOnce } from '../../../src/core/disk/parsed.ts'

test('a text is parsed once, another text of the same file again, and few files are cached', () => {
  const parsed: string[] = []
  const parse = parsedOnce((text, path) => {
    parsed.push(`${path}=${text}`)
    return { text }
  })
  const first = parse('1', 'a')
  expect(parse('1', 'a')).toBe(first)
  expect(parse('2', 'a')).toEqual({ text: '2' })
  expect(parse('1', 'a')).not.toBe(first)
  expect(parsed).toEqual(['a=1', 'a=2', 'a=1'])
  for (const path of ['b', 'c', 'd', 'a', 'e', 'a']) parse('1', path)
  expect(parsed.slice(3)).toEqual(['b=1', 'c=1', 'd=1', 'e=1'])
})

test('what fails is not remembered', () => {
  const parse = parsedOnce(text => JSON.parse(text) as unknown)
  expect(() => parse('{', 'a')).toThrow(SyntaxError)
  expect(() => parse('{', 'a')).toThrow(SyntaxError)
  expect(parse('{}', 'a')).toEqual({})
})
