import { z } from 'zod'
import type { ArchiveAsk } from '../archive/ask.ts'
import type { LabAsk } from '../lab/ask.ts'
import type { LevelsAsk } from '../levels/ask.ts'
import type { OrdersAsk } from '../orders/ask.ts'
import { isExpected } from '../platform/http/errors/catalogue.ts'
import { maskSecrets } from '../platform/http/mask.ts'
import { shown } from '../platform/http/request.ts'
import { unreadFiles } from '../platform/http/unavailable.ts'
import type { Requester } from '../platform/pool/requestScheduler.ts'
import type { PositionsAsk } from '../positions/ask.ts'
import { fits } from './size.ts'

/** A tool: its arguments and results, and how a call becomes a result. */

/** Queries of areas that tools call. */
export type ToolAsks = {
  readonly archive: ArchiveAsk
  readonly lab: LabAsk
  readonly levels: LevelsAsk
  readonly orders: OrdersAsk
  readonly positions: PositionsAsk
}

/** Dependencies of a call. */
export type ToolDeps = {
  readonly asks: ToolAsks
  /** The calling account; null: none. */
  readonly requester: Requester | null
  readonly nowMs: () => number
}

/** A failure whose message is sent to the caller. */
export class ToolError extends Error {}

/** Common part of every response. */
export type ToolResponse = {
  /** One quotable sentence. */
  readonly summary: string
  readonly total: number
  readonly next_cursor: string | null
}

export type Tool = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: object
  readonly outputSchema: object
  /** True when a call changes something; by default it only reads. */
  readonly writes?: true
  /** Fails with ToolError, or as the areas do. */
  readonly run: (given: unknown, deps: ToolDeps) => Promise<ToolResponse>
}

/** A date as a schema describes it; which days there are is checked with the arguments. */
const DATE_PATTERN = '^\\d{4}-..-..$'

type Shape = Readonly<Record<string, z.ZodType>>

type ToolText<Input extends Shape, Output extends Shape> = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  /** Fields in addition to `summary`, `total` and `next_cursor`. */
  readonly output: Output
  readonly writes?: true
  readonly respond: (
    given: z.infer<z.ZodObject<Input, z.core.$strict>>,
    deps: ToolDeps,
  ) => Promise<ToolResponse & z.infer<z.ZodObject<Output>>>
}

const shape = {
  summary: z.string(),
  total: z.int().describe('Of the whole, told or not.'),
  next_cursor: z.string().nullable(),
}

/** Builds a tool from its definition: schemas are strict, and bad arguments get a clear message. */
export function defineTool<Input extends Shape, Output extends Shape>({
  ...text
}: ToolText<Input, Output>): Tool {
  const { name, title, description, input, output, writes, respond } = text
  const Given = z.strictObject(input)
  return {
    name,
    title,
    description,
    ...(writes && { writes }),
    inputSchema: toJsonSchema(Given, 'input'),
    outputSchema: toJsonSchema(z.strictObject({ ...shape, ...output }), 'output'),
    run: async (given, deps) => {
      const parsed = Given.safeParse(withoutBlanks(input, given))
      if (!parsed.success) throw new ToolError(describeRefusal(name, input, given, parsed.error))
      return respond(parsed.data as never, deps)
    },
  }
}

/**
 * Arguments without those that are left out by a value: null, or an empty text where the argument
 * takes none. Clients that make forms of schemas, and many models, send them so.
 */
function withoutBlanks(input: Shape, given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  const accepts = (name: string, value: unknown) =>
    Object.hasOwn(input, name) && input[name]!.safeParse(value).success
  const isBlank = ([name, value]: [string, unknown]) =>
    (value === null || value === '') && !accepts(name, value) && accepts(name, undefined)
  return Object.fromEntries(Object.entries(given).filter(entry => !isBlank(entry)))
}

function toJsonSchema(type: z.ZodType, io: 'input' | 'output'): object {
  const override = ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    shorten(jsonSchema, io)
  }
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, reused: 'inline', override })
  return schema
}

/**
 * Shortens a schema: the list of tools is read before every conversation. Assistants on Gemini hand
 * it on as it is, and its interface refuses a whole request for a format of a text but date-time.
 */
function shorten(schema: z.core.JSONSchema.BaseSchema, io: 'input' | 'output'): void {
  if (schema.format === 'date') {
    delete schema.format
    if (io === 'input') schema.pattern = DATE_PATTERN
    else delete schema.pattern
  }
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  const [one, other, ...more] = schema.anyOf ?? []
  const isPlain = typeof one === 'object' && Object.keys(one).join() === 'type'
  const isNull = typeof other === 'object' && other.type === 'null'
  if (!isPlain || !isNull || more.length > 0) return
  delete schema.anyOf
  Object.assign(schema, { type: [one.type, 'null'] })
}

/** An argument; its description states the expected value, with an example. */
export const argument = <Type extends z.ZodType>(type: Type, give: string, without = '') =>
  type.describe(without === '' ? give : `${give}; ${without}`)

function describeRefusal(
  tool: string,
  input: Shape,
  given: unknown,
  { issues }: z.ZodError,
): string {
  const issue = issues[0]!
  const names = Object.keys(input)
  if (issue.code === 'unrecognized_keys') {
    const takes = names.length === 0 ? 'no arguments' : names.join(', ')
    return `${shown(issue.keys[0]!)} is no argument of ${tool}; it takes ${takes}.`
  }
  const field = String(issue.path[0] ?? '')
  const give = input[field]?.description?.split(';')[0]
  if (give === undefined) return `the arguments of ${tool} are not an object; give ${names}.`
  const value = (given as Record<string, unknown>)[field]
  if (value === undefined) return `${field} is missing; give ${give}.`
  const text = typeof value === 'string' ? shown(value) : JSON.parse(shown(JSON.stringify(value)))
  return `${field} is ${text}; give ${give}.`
}

/** Result of a call. */
export type ToolResult = {
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent?: Record<string, unknown>
  readonly isError?: true
}

export const failed = (sentence: string): ToolResult => ({
  content: [{ type: 'text', text: maskSecrets(sentence) }],
  isError: true,
})

/** Calls a tool; reports unexpected errors to `onFault`. */
export async function callTool(
  tool: Tool,
  given: unknown,
  { onFault, ...deps }: ToolDeps & { readonly onFault: (error: unknown) => void },
): Promise<ToolResult> {
  try {
    const result = await tool.run(given ?? {}, deps)
    if (!fits(result)) return failed('this answer is too large to be told; ask for less of it.')
    return {
      content: [{ type: 'text', text: JSON.stringify(result) }],
      structuredContent: result,
    }
  } catch (error) {
    if (error instanceof ToolError) return failed(error.message)
    const known = isExpected(error) ? error : unreadFiles(error)
    if (known) return failed(known.message)
    onFault(error)
    return failed('the server failed; its log says why. Ask again in a minute.')
  }
}
