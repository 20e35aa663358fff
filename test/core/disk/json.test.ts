import { expect, test } from 'vitest'
import { JSON_DEPTH_MAX, JsonError, jsonFault, parseJson } from '../../../src/core/disk/json.ts'

const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

test.each([
  [lists(JSON_DEPTH_MAX), null],
  [`{"a":${lists(JSON_DEPTH_MAX - 1)}}`, null],
  [lists(JSON_DEPTH_MAX + 1), 'nested over 64 levels deep'],
  [`{"a":${lists(JSON_DEPTH_MAX)}}`, 'nested over 64 levels deep'],
  // without an end it is no JSON either, but is never given to the parser
  ['['.repeat(100_000), 'nested over 64 levels deep'],
  [`[${'[],'.repeat(10_000)}{}]`, null],
  // what stands in a string is no level
  [JSON.stringify(lists(1_000)), null],
  [JSON.stringify(`\\"${'{'.repeat(1_000)}`), null],
  [`["\\\\",${lists(JSON_DEPTH_MAX)}]`, 'nested over 64 levels deep'],
  ['"[', 'not JSON'],
  [']'.repeat(1_000) + lists(JSON_DEPTH_MAX), 'not JSON'],
  ['', 'not JSON'],
])('%.40s is read, or is %s', (text, seen) => {
  if (seen === null) return expect(parseJson(text)).toEqual(JSON.parse(text))
  const faultIn = () => {
    try {
      parseJson(text)
    } catch (error) {
      return jsonFault(error)
    }
  }
  expect(faultIn()).toBe(seen)
  expect(() => parseJson(text)).toThrow(JsonError)
})
