import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'

// The OpenAPI file as it is served is valid, by the rules of a linter that its readers use.

let api: TestApi
let text: string

beforeAll(async () => {
  api = await startTestApi()
  text = (await api.call('/openapi.json', { key: null })).body.toString()
})
afterAll(() => api.close())

const redocly = async (source: string): Promise<string[]> => {
  const config = await createConfig({ extends: ['recommended'] })
  const found = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  return found.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`)
}

/** Two paths of the file, with something wrong in it that must be found. */
const spoiled = () => {
  const file = JSON.parse(text)
  const { '/health': health, '/status.json': status } = file.paths
  file.paths = { '/health': health, '/status.json': status }
  file.paths['/health'].get.operationId = file.paths['/status.json'].get.operationId
  delete file.info.contact
  delete file.info.license
  file.paths['/health'].get.responses['200'].content = 'text'
  return JSON.stringify(file)
}

test('redocly has nothing to say about the file, and finds what was spoiled', async () => {
  expect(JSON.parse(text).openapi).toMatch(/^3\.1/)
  expect(await redocly(text)).toEqual([])
  const found = (await redocly(spoiled())).join('\n')
  expect(found).toMatch(/operationId/i)
  expect(found).toMatch(/license/)
  expect(found).toMatch(/error struct/)
})

test('the file names no person, and no address that is not there', () => {
  const { info, servers } = JSON.parse(text)
  expect(info.contact).toEqual({ name: 'Whoever runs this server' })
  expect(info.license.name).toContain('all rights reserved')
  expect(servers).toEqual([{ url: '/', description: 'This server.' }])
})
