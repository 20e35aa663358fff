import type { Request, RequestHandler, Response } from 'express'
import type { z } from 'zod'
import { callContext } from '../accounts/callContext.ts'
import { type PlanRow, PRODUCT_NAMES, planAt } from '../accounts/products.ts'
import type { Catalog } from '../data/published/catalog.ts'
import { isExpected, toErrorResponse } from '../platform/http/errors/catalogue.ts'
import { describeStreamLimit, type EventStreams } from '../platform/http/eventStream.ts'
import { readQuery } from '../platform/http/query.ts'
import { reading, routePaths } from '../platform/http/request.ts'
import { acceptedType, JSON_TYPE } from '../platform/http/response.ts'
import { type ColumnLists, columnsArrow, columnsCsv } from '../platform/http/table.ts'
import { respondAsRequester } from '../platform/pool/respondInTurn.ts'
import {
  expectedMoveAt,
  gammaAt,
  historyAt,
  type LevelsQuestion,
  levelsAt,
  readSymbols,
  symbolsNow,
} from './ask.ts'
import type { LevelsDeps, openStamps } from './asOf.ts'
import { sierraText, thinkscriptText } from './chartTexts.ts'
import {
  type DaysReader,
  type Endpoint,
  EXPECTED_MOVE,
  FLOW,
  findOldestDay,
  GAMMA,
  HISTORY,
  JSON_ONLY,
  LEVELS,
  NOTES,
  type Query,
  readQuestion,
  STREAM,
  TEXT,
} from './endpoints.ts'
import { LIVE_ERRORS, liveError } from './errors.ts'
import { FLOW_TEXTS, type FlowQuestion, flowAt, flowColumns } from './flow.ts'
import { historyColumns } from './history.ts'
import { HISTORY_TEXTS } from './levelFields.ts'
import { notesCsv, pairsText, plannedText, type TextStyle } from './levelsText.ts'
import { readNames } from './params.ts'
import type { LevelsResponse, SendLevels } from './responses.ts'
import type { Key } from './schema.ts'
import type { Sessions } from './sessions.ts'
import { type LevelBodies, questionKind, readLevelEvents } from './stream.ts'
import { parseSymbol } from './symbols.ts'

export type RouteDeps = {
  readonly catalog: Catalog
  readonly sessions: Sessions
  readonly send: SendLevels
  readonly daysAt: DaysReader
  readonly readStamp: ReturnType<typeof openStamps>
  readonly streams: EventStreams
  readonly levelBodies: LevelBodies
  readonly nowMs: () => number
  /** Real time, also in a replay: plans end by it. */
  readonly elapsedMs: () => number
}

/** The levels API, mounted under `/api/v1` for a key of scope `live`. */
export function levelsRouter(deps: RouteDeps): RequestHandler {
  const routes: Readonly<Record<string, Handler>> = {
    '/levels': respondWith(LEVELS, levelsResponse),
    '/gamma': respondWith(GAMMA, jsonOf(gammaAt)),
    '/expected_move': respondWith(EXPECTED_MOVE, jsonOf(expectedMoveAt)),
    '/history': respondWith(HISTORY, historyResponse),
    '/flow': respondWith(FLOW, flowResponse),
    '/levels.txt': respondWith(TEXT, levelsTextResponse),
    '/bookmap.csv': respondWith(NOTES, notesResponse),
    '/stream': beginStream,
    '/symbols': sendSymbols,
    '/key': sendKey,
  }
  const byPath = Object.entries(routes).map(([path, handle]) => {
    return [path, reading(schedule(deps, handle))] as const
  })
  return routePaths(Object.fromEntries(byPath))
}

type CallDeps = RouteDeps & LevelsDeps
type Call = { readonly req: Request; readonly res: Response; readonly deps: CallDeps }
type Handler = (call: Call) => Promise<void>

function schedule(deps: RouteDeps, handle: Handler): RequestHandler {
  return (req, res) =>
    respondAsRequester(res, requester => handle({ req, res, deps: { ...deps, requester } }))
}

/** A parsed query; the endpoint interprets its other parameters. */
type Read = {
  readonly question: LevelsQuestion
  readonly flow: Pick<FlowQuestion, 'part' | 'span'>
  readonly query: Query
  readonly style: TextStyle
  readonly type: string
  readonly deps: CallDeps
}

/** Serves an endpoint's query; errors are checked in the order of the catalogue. */
function respondWith(
  endpoint: Endpoint,
  respond: (read: Read) => Promise<LevelsResponse>,
): Handler {
  const { types } = endpoint
  return async call => {
    const { req, res, deps } = call
    const { query, question, flow, style, parameters, hasFuture } = readQuestion(call, endpoint)
    const { day } = question
    const type = acceptable(req, types)
    const read = { question, flow, style, query, type: type ?? types[0]!, deps }
    const stamp = type === null ? null : deps.readStamp({ day, hasFuture })
    const key = stamp === null ? null : `${stamp} ${type} ${parameters}`
    if (type === null) await refuseType(req, types, () => respond(read))
    await deps.send({ req, res, key, isPast: day !== null }, () => respond(read))
  }
}

/** Fails with `not_acceptable`, or with the error of the query itself. */
async function refuseType(req: Request, types: readonly string[], respond: () => Promise<unknown>) {
  await respond().catch(error => {
    const isOfQuestion = isExpected(error) && toErrorResponse(error, LIVE_ERRORS).status < 500
    if (isOfQuestion) throw error
  })
  acceptedType(req, types)
}

/** Returns the content type of the response; null when the client accepts none. */
function acceptable(req: Request, types: readonly string[]): string | null {
  try {
    return acceptedType(req, types)
  } catch (error) {
    if (isExpected(error)) return null
    throw error
  }
}

type Simulated = { readonly simulated: boolean }

const jsonResponse = (body: object, { simulated }: Simulated): LevelsResponse => ({
  body: JSON.stringify(body),
  type: JSON_TYPE,
  isSimulated: simulated,
  isLasting: true,
})

async function levelsResponse({ deps, question }: Read): Promise<LevelsResponse> {
  const body = await levelsAt(deps, question)
  // an error states how long to wait from now
  const isLasting = body.symbols.every(one => !('error' in one))
  return { ...jsonResponse(body, body), isLasting }
}

/** Responds with what a query returns, as JSON. */
const jsonOf =
  (query: (deps: LevelsDeps, question: LevelsQuestion) => Promise<Simulated>) =>
  async ({ deps, question }: Read): Promise<LevelsResponse> => {
    const body = await query(deps, question)
    return jsonResponse(body, body)
  }

async function historyResponse({ deps, question, type }: Read): Promise<LevelsResponse> {
  const history = await historyAt(deps, question)
  const { contract } = history
  const headers = contract === undefined ? {} : { 'x-contract': contract }
  const table = { ...jsonResponse(history, history), headers }
  return tableResponse(table, type, () => [historyColumns(history), HISTORY_TEXTS])
}

async function flowResponse({ deps, question, flow: wanted, type }: Read): Promise<LevelsResponse> {
  const { day, time } = question
  const flow = await flowAt(deps, { ...wanted, day, time })
  return tableResponse(jsonResponse(flow, flow), type, () => [flowColumns(flow), FLOW_TEXTS])
}

/** A response as JSON or, by its type, as a table of columns, some of them texts. */
function tableResponse(
  json: LevelsResponse,
  type: string,
  list: () => [columns: ColumnLists, texts: readonly string[]],
): LevelsResponse {
  if (type === 'application/json') return { ...json, headers: {} }
  const [columns, texts] = list()
  if (type !== 'text/csv') return { ...json, type, body: columnsArrow(columns, texts) }
  return { ...json, type: 'text/csv; charset=utf-8; header=present', body: columnsCsv(columns) }
}

async function levelsTextResponse({ deps, question, style }: Read): Promise<LevelsResponse> {
  const { asOf, symbolLevels } = await readSymbols(deps, question)
  const good = symbolLevels.flatMap(one => ('wire' in one ? [one] : []))
  const [day, minute] = [asOf.day!, asOf.minute]
  const texts = {
    pairs: () => pairsText(good, 'pairs'),
    mq: () => pairsText(good, 'mq'),
    lines: () => plannedText(good[0]!, day),
    sierra: () => sierraText(good[0]!),
    thinkscript: () => thinkscriptText(good[0]!, { day, minute }),
  }
  const body = texts[style]()
  return textResponse({ body, type: 'text/plain; charset=utf-8', asOf, symbolLevels })
}

async function notesResponse({ deps, question, query }: Read): Promise<LevelsResponse> {
  const [map = null] = readNames(query.map ?? [])
  const as = readNames(query.as ?? [])
  const { asOf, symbolLevels } = await readSymbols(deps, question)
  const body = notesCsv(symbolLevels, { map, as })
  return textResponse({ body, type: 'text/csv; charset=utf-8', asOf, symbolLevels })
}

type Texts = Awaited<ReturnType<typeof readSymbols>> & Pick<LevelsResponse, 'body' | 'type'>

/** Text response; failed symbols are named in a header, as the text cannot hold them. */
function textResponse({ body, type, asOf, symbolLevels }: Texts): LevelsResponse {
  const failed = symbolLevels.flatMap(one =>
    'failed' in one ? [`${encodeURIComponent(one.failed.sym)}=${one.failed.error.code}`] : [],
  )
  const headers = failed.length === 0 ? {} : { 'x-symbol-errors': failed.join(', ') }
  const isSimulated = asOf.found?.manifest.simulated ?? false
  return { body, type, isSimulated, headers, isLasting: failed.length === 0 }
}

const beginStream: Handler = async ({ req, res, deps }) => {
  const { question } = readQuestion({ req, res, deps }, STREAM)
  if (question.symbols.length === 1) parseSymbol(question.symbols[0]!)
  const { keyId, isAdmitted } = callContext(res)
  const owner = keyId!
  const message = describeStreamLimit(deps.streams, owner)
  if (message !== null) throw liveError('rate_limited', { message, extras: { retry_after_s: 60 } })
  const read = readLevelEvents(deps, deps.levelBodies, question)
  const kind = questionKind(question)
  deps.streams.serve({ req, res, owner, kind, read, isAdmitted: isAdmitted! })
}

const sendSymbols: Handler = async ({ req, res, deps }) => {
  readQuery(req, res, ['errors'])
  acceptedType(req, JSON_ONLY)
  await deps.send({ req, res, key: null, isPast: false }, async () =>
    jsonResponse(await symbolsNow(deps), { simulated: false }),
  )
}

const sendKey: Handler = async ({ req, res, deps }) => {
  readQuery(req, res, ['errors'])
  acceptedType(req, JSON_ONLY)
  const { holder, keyUse } = callContext(res)
  const { scope, name, products } = holder!
  const plans: (PlanRow | null)[] = PRODUCT_NAMES.map(product =>
    planAt(products, product, deps.elapsedMs()),
  )
  const body: z.infer<typeof Key> = {
    scope,
    name,
    plans: plans.flatMap(row => row?.plan ?? []),
    oldest: findOldestDay(res, deps),
    ...keyUse!,
  }
  res.setHeader('cache-control', 'no-store')
  const response = jsonResponse(body, { simulated: false })
  await deps.send({ req, res, key: null, isPast: false }, async () => response)
}
