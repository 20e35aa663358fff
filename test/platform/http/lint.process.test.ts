import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'

// The OpenAPI file as it is served, by the rules of the two linters that its readers use.

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

const spectral = async (source: string): Promise<string[]> => {
  const linter = new spectralCore.Spectral()
  linter.setRuleset({ extends: [spectralRulesets.oas] } as never)
  const found = await linter.run(JSON.parse(source))
  return found.map(({ code, message, path }) => `${code}: ${message} (${path.join('.')})`)
}

/** Two paths of the file, with something wrong in it that both have to find. */
const spoiled = () => {
  const file = JSON.parse(text)
  const { '/health': health, '/status.json': status } = file.paths
  file.paths = { '/health': health, '/status.json': status }
  file.paths['/health'].get.operationId = file.paths['/status.json'].get.operationId
  delete file.info.contact
  delete file.info.license
  return JSON.stringify(file)
}

test.each([
  ['redocly, recommended', redocly],
  ['spectral, spectral:oas', spectral],
])('%s has nothing to say about the file, and finds what was spoiled', async (_, lint) => {
  expect(await lint(text)).toEqual([])
  const found = (await lint(spoiled())).join('\n')
  expect(found).toMatch(/operationId/i)
  expect(found).toMatch(/license|contact/)
})

test('the file names no person, and no address that is not there', () => {
  const { info, servers } = JSON.parse(text)
  expect(info.contact).toEqual({ name: 'Whoever runs this server' })
  expect(info.license.name).toContain('all rights reserved')
  expect(servers).toEqual([{ url: '/', description: 'This server.' }])
})
