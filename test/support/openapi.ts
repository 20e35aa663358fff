import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { DATASET_ERRORS } from '../../src/archive/errors.ts'
import { GEO_ERRORS } from '../../src/geo/errors.ts'
import { LAB_ERRORS } from '../../src/lab/errors.ts'
import { LIVE_ERRORS } from '../../src/levels/errors.ts'
import { ERRORS } from '../../src/platform/http/error.ts'
import { openApiDocument } from '../../src/server/docs.ts'

type Header = { required?: boolean; schema?: { pattern?: string } }
type Described = {
  headers?: Record<string, Header>
  content?: Record<string, { schema?: object }>
}

// biome-ignore lint/suspicious/noExplicitAny: the document is JSON, read by path
export const openApi: any = JSON.parse(JSON.stringify(openApiDocument()))

export type Result = {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addSchema(closed(openApi), 'openapi')
const compiled = new Map<string, ValidateFunction>()
const patterns = new Map<string, RegExp>()

/** Fails unless the OpenAPI file describes a response: its status, headers, type and body. */
export function expectDescribed(response: Result): void {
  const { method, path, status, headers, body } = response
  const must = (holds: boolean, what: string) => {
    // plain errors: thousands of responses are checked in one test
    if (!holds)
      throw new Error(`${method} ${path} answered ${status}: ${what}\n${findText(response)}`)
  }
  must(/^[\w.:-]{1,64}$/.test(headers.get('x-request-id') ?? ''), 'no request id')
  if (method === 'HEAD' || status === 304 || status === 204) must(body.byteLength === 0, 'a body')
  if (method === 'OPTIONS' && status === 204) return
  const pathname = describedPath(path.split('?')[0]!)
  const item = openApi.paths[pathname]
  if (!item) {
    mustBeKnownError(response, must)
    return
  }
  const operation = item.post && (method === 'POST' || !item.get) ? 'post' : 'get'
  const described: Described | undefined = item[operation].responses[status]
  must(described !== undefined, 'not described')
  for (const [name, { required, schema }] of Object.entries(described!.headers ?? {})) {
    const value = headers.get(name)
    must(!required || value !== null, `no ${name}`)
    // of Allow the conformance suite knows all
    if (value !== null && schema?.pattern && name !== 'Allow')
      must(matches(schema.pattern, value), `${name} ${value}`)
  }
  if (status === 304) return
  const type = headers.get('content-type')!.split(';')[0]!
  must(described!.content?.[type] !== undefined, `type ${type} is not described`)
  if (type !== 'application/json') return
  must(headers.get('content-type') === 'application/json; charset=utf-8', 'no charset')
  if (method === 'HEAD') return
  const pointer = `/paths/${escapePointer(pathname)}/${operation}/responses/${status}/content`
  const schema = `${pointer}/${escapePointer(type)}/schema`
  const complaints = listComplaints(schema, JSON.parse(findText(response)))
  must(complaints === '[]', complaints)
}

/** The path as the file has it, such as `/api/session/{day}`; itself where it has none. */
function describedPath(path: string): string {
  if (openApi.paths[path]) return path
  const templates = Object.keys(openApi.paths).filter(each => each.includes('{'))
  const listIs = (template: string) =>
    new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)
  return templates.find(listIs) ?? path
}

/** The body of a response, decoded. */
export function findText({ headers, body }: Result): string {
  const encoding = headers.get('content-encoding')
  if (body.byteLength === 0) return ''
  if (encoding === 'gzip') return gunzipSync(body).toString()
  return (encoding === 'br' ? brotliDecompressSync(body) : body).toString()
}

/** The error that a page shows. */
function shownError(page: string) {
  const [, code] = /<code>(\w+)<\/code><\/p>/.exec(page) ?? []
  const [, message] = /<h1>(.+)<\/h1>/.exec(page) ?? []
  return { code, message }
}

// any other path: an error of the catalogue, or a page
function mustBeKnownError(response: Result, must: (holds: boolean, what: string) => void): void {
  const { status, headers, method, path } = response
  if (status === 200 || status === 304) return
  const type = headers.get('content-type')
  // who names HTML gets a page, but for what is below an API
  const isPage =
    type === 'text/html; charset=utf-8' && !/^\/(api|orders\/api|snapshots)(\/|$)/i.test(path)
  must(isPage || type === 'application/json; charset=utf-8', 'not JSON')
  if (method === 'HEAD') return
  if (/^\/(api\/(lab|struct)|geo|mcp)\//.test(path)) {
    const { rows } = path.startsWith('/geo/') ? GEO_ERRORS : LAB_ERRORS
    const isRow = rows.some(row => row.status === status)
    const { error: sentence } = JSON.parse(findText(response))
    must(isRow && typeof sentence === 'string', 'not an error of the catalogue')
    return
  }
  const error = isPage ? shownError(findText(response)) : JSON.parse(findText(response)).error
  const rows = path.startsWith('/api/v1/') ? LIVE_ERRORS.rows : [...ERRORS, ...DATASET_ERRORS.rows]
  const isKnown = rows.some(row => row.status === status && row.code === error.code)
  must(isKnown && typeof error.message === 'string', 'not an error of the catalogue')
}

/**
 * Complaints of a schema of the file, found by its JSON pointer, about a value: '[]' is nothing.
 */
export function listComplaints(pointer: string, value: unknown): string {
  let check = compiled.get(pointer)
  if (!check) {
    check = ajv.compile({ $ref: `openapi#${pointer}` })
    compiled.set(pointer, check)
  }
  check(value)
  return JSON.stringify(check.errors ?? [])
}

function matches(pattern: string, value: string): boolean {
  let expression = patterns.get(pattern)
  if (!expression) {
    expression = new RegExp(pattern)
    patterns.set(pattern, expression)
  }
  return expression.test(value)
}

// responses may have more fields one day; today each one must be described
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
