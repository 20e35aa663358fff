import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import { openApiDocument } from '../../src/docs.ts'
import { ERRORS } from '../../src/http/error.ts'

type Header = { required?: boolean; schema?: { pattern?: string } }
type Described = {
  headers?: Record<string, Header>
  content?: Record<string, { schema?: object }>
}

// biome-ignore lint/suspicious/noExplicitAny: the document is JSON, read by path
export const openApi: any = JSON.parse(JSON.stringify(openApiDocument()))

export type Answer = {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addSchema(closed(openApi), 'openapi')
const compiled = new Map<string, ValidateFunction>()

/** Fails unless the OpenAPI file describes an answer: its status, headers, type and body. */
export function expectDescribed(answer: Answer): void {
  const { method, path, status, headers, body } = answer
  const where = `${method} ${path} answered ${status}`
  expect(headers.get('x-request-id'), where).toMatch(/^[\w.:-]{1,64}$/)
  if (method === 'OPTIONS' && status === 204) {
    expect(body.byteLength, where).toBe(0)
    return
  }
  const pathname = path.split('?')[0]!
  const described: Described | undefined = openApi.paths[pathname]?.get.responses[status]
  if (!openApi.paths[pathname]) {
    expectUndescribed(answer, where)
    return
  }
  expect(described, `${where}: not described`).toBeDefined()
  for (const [name, { required, schema }] of Object.entries(described!.headers ?? {})) {
    const value = headers.get(name)
    if (required) expect(value, `${where}: no ${name}`).not.toBeNull()
    if (value !== null && schema?.pattern) expect(value, where).toMatch(new RegExp(schema.pattern))
  }
  if (status === 304 || method === 'HEAD') expect(body.byteLength, where).toBe(0)
  if (status === 304) return
  const type = headers.get('content-type')!.split(';')[0]!
  const pointer = `/paths/${escapePointer(pathname)}/get/responses/${status}/content`
  expect(described!.content, where).toHaveProperty([type])
  if (method === 'HEAD' || type !== 'application/json') return
  expect(headers.get('content-type'), where).toBe('application/json; charset=utf-8')
  validate(`${pointer}/${escapePointer(type)}/schema`, JSON.parse(textOf(answer)), where)
}

/** The body of an answer, decoded. */
export function textOf({ headers, body }: Answer): string {
  const encoding = headers.get('content-encoding')
  if (encoding === 'gzip') return gunzipSync(body).toString()
  return (encoding === 'br' ? brotliDecompressSync(body) : body).toString()
}

/** Checks a value against a named schema of the file. */
export function expectSchema(name: string, value: unknown): void {
  validate(`/components/schemas/${name}`, value, name)
}

// any other path: an error of the catalogue, or a page
function expectUndescribed({ status, headers, body, method }: Answer, where: string): void {
  if (status === 200 || status === 304) return
  const rows = ERRORS.filter(row => row.status === status).map(row => row.code)
  expect(rows, where).not.toEqual([])
  expect(headers.get('content-type'), where).toBe('application/json; charset=utf-8')
  if (method === 'HEAD') return
  const { error } = JSON.parse(body.toString())
  expect(rows, where).toContain(error.code)
  expect(error.message, where).toBeTypeOf('string')
}

function validate(pointer: string, value: unknown, where: string): void {
  let check = compiled.get(pointer)
  if (!check) {
    check = ajv.compile({ $ref: `openapi#${pointer}` })
    compiled.set(pointer, check)
  }
  check(value)
  expect(check.errors ?? [], where).toEqual([])
}

// answers may have more fields one day; today each one must be described
function closed(node: unknown): object {
  return JSON.parse(
    JSON.stringify(node, (_, value) =>
      value?.properties && typeof value.properties === 'object'
        ? { ...value, additionalProperties: false }
        : value,
    ),
  )
}

const escapePointer = (text: string) =>
  text.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')
