// The address that commands print is where the server of the folder listens.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findSiteUrl, storeServed } from '../../src/server/served.ts'
import { newFolder } from '../support/import.ts'

test('of a server at port 9123, of none, of a dead one and of a public address: 4 addresses', () => {
  const dataFolder = newFolder()
  const config = { dataFolder, publicUrl: null, host: '127.0.0.1', port: 8080 }
  expect(findSiteUrl(config)).toBe('http://127.0.0.1:8080')
  const forget = storeServed(dataFolder, 'http://127.0.0.1:9123')
  expect(findSiteUrl(config)).toBe('http://127.0.0.1:9123')
  expect(findSiteUrl({ ...config, publicUrl: 'https://a.example' })).toBe('https://a.example')
  forget()
  expect(findSiteUrl(config)).toBe('http://127.0.0.1:8080')
  storeServed(dataFolder, 'http://127.0.0.1:9123')
  const path = join(dataFolder, 'work/served.json')
  writeFileSync(path, '{"url":"http://127.0.0.1:9123","machine":"00000000","pid":1}')
  expect(findSiteUrl(config)).toBe('http://127.0.0.1:8080')
})
