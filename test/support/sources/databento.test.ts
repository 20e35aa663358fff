// The test server of Databento, by the codes of its documents and recorded bodies.

import { zstdDecompressSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import {
  DATABENTO_KEY,
  type DatabentoOptions,
  type DatabentoSource,
  startDatabento,
} from './databento.ts'
import { otherColumns, rowsOf } from './faults.ts'
import { receive, receiveJson } from './request.ts'

let source: DatabentoSource
afterEach(() => source.close())

const DAY = '2024-11-04'
const record = (clock: string, symbol = 'SPXW  241104C05700000', over = {}) => ({
  ts_recv: `${DAY}T${clock}Z`,
  ts_event: `${DAY}T${clock}Z`,
  rtype: 194,
  publisher_id: 22,
  instrument_id: 1241515301,
  action: 'T',
  side: 'N',
  price: '12.300000000',
  size: 5,
  flags: 192,
  ts_in_delta: 0,
  bid_px_00: '',
  ask_px_00: '12.400000000',
  bid_sz_00: 0,
  ask_sz_00: 7,
  bid_pb_00: 22,
  ask_pb_00: 22,
  symbol,
  ...over,
})
const statistic = {
  ...record('11:30:00.000000000'),
  ts_ref: '',
  quantity: 2732,
  price: '',
  sequence: 0,
  stat_type: 9,
  channel_id: 0,
  update_action: 1,
  stat_flags: 0,
}

const OPTIONS: DatabentoOptions = {
  records: {
    tcbbo: new Map([
      [
        DAY,
        [
          record('14:30:00.000000001'),
          record('14:30:00.100000000', 'SPX   241115P05000000'),
          record('20:59:59.999999999'),
        ],
      ],
    ]),
    statistics: new Map([[DAY, [statistic]]]),
  },
  available: { start: '2013-04-01T00:00:00.000000000Z', end: '2024-11-05T00:00:00.000000000Z' },
}

const AUTHORIZATION = `Basic ${Buffer.from(`${DATABENTO_KEY}:`).toString('base64')}`
const headers = { authorization: AUTHORIZATION }

const open = async (over: DatabentoOptions = {}) => {
  source = await startDatabento({ ...OPTIONS, ...over })
}

const PARENTS = { dataset: 'OPRA.PILLAR', symbols: 'SPX.OPT,SPXW.OPT', stype_in: 'parent' }
const RANGE = { ...PARENTS, start: DAY, end: '2024-11-05', schema: 'tcbbo' }
const PRETTY = { pretty_px: 'true', pretty_ts: 'true', map_symbols: 'true' }

/** Sends a form, as clients do. */
const post = (
  method: string,
  values: Record<string, string>,
  sent: Record<string, string> = headers,
) =>
  receive(`${source.url}/v0/${method}`, {
    method: 'POST',
    headers: { ...sent, 'content-type': 'application/x-www-form-urlencoded' },
    body: String(new URLSearchParams(values)),
  })
const getRange = (over: Record<string, string> = {}) =>
  post('timeseries.get_range', { ...RANGE, ...over })
const get = (method: string, values: Record<string, string>) =>
  receiveJson(`${source.url}/v0/${method}?${new URLSearchParams(values)}`, { headers })

const COLUMNS =
  'ts_recv,ts_event,rtype,publisher_id,instrument_id,action,side,price,size,flags,ts_in_delta,' +
  'bid_px_00,ask_px_00,bid_sz_00,ask_sz_00,bid_pb_00,ask_pb_00'

test('records are CSV with pretty prices, times and symbols where they are requested', async () => {
  await open()
  const pretty = await getRange(PRETTY)
  expect(pretty.status).toBe(200)
  expect(pretty.body.toString().split('\n').slice(0, 2)).toEqual([
    `${COLUMNS},symbol`,
    '2024-11-04T14:30:00.000000001Z,2024-11-04T14:30:00.000000001Z,194,22,1241515301,T,N,' +
      '12.300000000,5,192,0,,12.400000000,0,7,22,22,SPXW  241104C05700000',
  ])
  const plain = (await getRange()).body.toString().split('\n')
  expect(plain.slice(0, 2)).toEqual([
    COLUMNS,
    '1730730600000000001,1730730600000000001,194,22,1241515301,T,N,12300000000,5,192,0,' +
      '9223372036854775807,12400000000,0,7,22,22',
  ])
  expect(plain).toHaveLength(5)
  const statistics = await getRange({ schema: 'statistics', ...PRETTY })
  expect(statistics.body.toString()).toBe(
    'ts_recv,ts_event,rtype,publisher_id,instrument_id,ts_ref,price,quantity,sequence,' +
      'ts_in_delta,stat_type,channel_id,update_action,stat_flags,symbol\n' +
      '2024-11-04T11:30:00.000000000Z,2024-11-04T11:30:00.000000000Z,194,22,1241515301,,,2732,0,' +
      '0,9,0,1,0,SPXW  241104C05700000\n',
  )
})

test('zstd compresses the same bytes; chunks have no length, and a range is ignored', async () => {
  await open()
  const plain = await getRange(PRETTY)
  const zstd = await getRange({ ...PRETTY, compression: 'zstd' })
  expect(zstdDecompressSync(zstd.body)).toEqual(plain.body)
  expect(zstd.headers).not.toHaveProperty('content-encoding')
  expect(zstd.headers).toHaveProperty('transfer-encoding')
  const part = await post(
    'timeseries.get_range',
    { ...RANGE, ...PRETTY },
    { ...headers, range: 'bytes=5-' },
  )
  expect(part).toMatchObject({ status: 200, body: plain.body })
})

test('rows are chosen by symbols and by ts_recv, the end excluded, up to the limit', async () => {
  await open()
  const count = async (over: Record<string, string>) =>
    (await getRange(over)).body.toString().trim().split('\n').length - 1
  expect(await count({ symbols: 'SPXW.OPT' })).toBe(2)
  expect(await count({ symbols: 'SPX   241115P05000000', stype_in: 'raw_symbol' })).toBe(1)
  expect(await count({ symbols: 'ALL_SYMBOLS' })).toBe(3)
  expect(await count({ start: `${DAY}T14:30:00.1Z` })).toBe(2)
  expect(await count({ end: `${DAY}T14:30:00.1Z` })).toBe(1)
  expect(await count({ start: `${DAY}T09:30-05:00`, end: '1730754000000000000' })).toBe(3)
  expect(await count({ limit: '2' })).toBe(2)
  // a range without records is a header alone
  expect(await count({ start: `${DAY}T15:00`, end: `${DAY}T16:00` })).toBe(0)
  expect((await getRange({ symbols: 'SPXW.OPT,XSP.OPT' })).status).toBe(206)
})

test('cost, size and count of a request, by GET and by a form; conditions and range', async () => {
  await open({ usdPerGb: 2 ** 30 })
  expect(await get('metadata.get_record_count', RANGE)).toEqual([200, 3])
  expect(await get('metadata.get_billable_size', RANGE)).toEqual([200, 240])
  expect(await get('metadata.get_cost', RANGE)).toEqual([200, 240])
  expect((await post('metadata.get_cost', RANGE)).body.toString()).toBe('240')
  expect(source.spentUsd()).toBe(0)
  await getRange()
  await getRange({ limit: '1' })
  expect(source.spentUsd()).toBe(320)
  const dataset = 'OPRA.PILLAR'
  const [, range] = await get('metadata.get_dataset_range', { dataset })
  expect(range).toMatchObject({ ...OPTIONS.available, schema: { tcbbo: OPTIONS.available } })
  const dates = { dataset, start_date: '2024-11-01', end_date: '2024-11-04' }
  expect(await get('metadata.get_dataset_condition', dates)).toEqual([
    200,
    [
      { date: '2024-11-01', condition: 'missing', last_modified_date: null },
      { date: DAY, condition: 'available', last_modified_date: DAY },
    ],
  ])
  source.setCondition(DAY, { condition: 'degraded', last_modified_date: '2024-11-09' })
  expect((await get('metadata.get_dataset_condition', dates))[1][1]).toEqual({
    date: DAY,
    condition: 'degraded',
    last_modified_date: '2024-11-09',
  })
  expect((await getRange()).headers['x-warning']).toContain('2024-11-04 (degraded)')
  expect(await get('metadata.list_datasets', {})).toEqual([200, [dataset]])
})

test.each([
  ['a schema that is not there', 400, 'data_schema_not_available', { schema: 'mbo' }],
  ['an encoding that is not served', 400, 'bad_request', { encoding: 'dbn' }],
  ['an unknown parameter', 400, 'bad_request', { symbol_type: 'parent' }],
  ['another dataset', 404, 'dataset_not_found', { dataset: 'GLBX.MDP3' }],
  ['no known symbol', 422, 'symbology_invalid_request', { symbols: 'QQQ.OPT' }],
  ['a symbol that is no parent', 400, 'symbology_invalid_symbol', { symbols: 'SPXW' }],
  ['a symbology of futures', 422, 'symbology_invalid_request', { stype_in: 'continuous' }],
  ['an end before its start', 422, 'data_time_range_start_on_or_after_end', { end: DAY }],
  ['an early start', 422, 'data_start_before_available_start', { start: '2012-01-01' }],
  [
    'a late start',
    422,
    'data_start_after_available_end',
    { start: '2024-11-06', end: '2024-11-07' },
  ],
  ['a late end', 422, 'data_end_after_available_end', { end: '2024-11-06' }],
])('%s: %i %s', async (_, status, name, over) => {
  await open()
  const refused = await getRange(over as Record<string, string>)
  expect(refused.status).toBe(status)
  const { detail } = JSON.parse(refused.body.toString())
  expect(detail).toMatchObject({ case: name, status_code: status })
  expect(Object.keys(detail)).toEqual(['case', 'message', 'status_code', 'docs', 'payload'])
})

test('a missing parameter, a wrong flag and an unknown method', async () => {
  await open()
  const bare = await post('timeseries.get_range', { dataset: 'OPRA.PILLAR' })
  expect([bare.status, JSON.parse(bare.body.toString())]).toEqual([
    422,
    { detail: [{ loc: ['body', 'start'], msg: 'Field required', type: 'missing' }] },
  ])
  expect((await getRange({ pretty_px: 'maybe' })).status).toBe(422)
  expect((await get('timeseries.get_all', {}))[0]).toBe(404)
})

test('keys, payments and licences', async () => {
  await open({ licence: { until: '2024-11-04T13:30:00Z', refusal: 'license' } })
  const url = `${source.url}/v0/timeseries.get_range?${new URLSearchParams(RANGE)}`
  const without = await receive(url)
  expect(without).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Basic' } })
  expect(without.body.toString()).toBe('{"detail":"Not authenticated"}')
  const basic = (text: string) => ({
    authorization: `Basic ${Buffer.from(text).toString('base64')}`,
  })
  for (const wrong of ['db-other:', `${DATABENTO_KEY}:password`, `:${DATABENTO_KEY}`]) {
    const [status, { detail }] = await receiveJson(url, { headers: basic(wrong) })
    expect([status, detail.case]).toEqual([401, 'auth_authentication_failed'])
  }
  const caseOf = async () => {
    const { status, body } = await getRange()
    return `${status} ${JSON.parse(body.toString()).detail.case}`
  }
  expect(await caseOf()).toBe('403 license_not_found_unauthorized')
  const others: [DatabentoOptions, string][] = [
    [{ licence: { until: DAY, refusal: 'range' } }, '422 dataset_unavailable_range'],
    [{ account: 'insufficient_funds' }, '402 account_insufficient_funds'],
    [{ account: 'locked' }, '403 auth_account_locked'],
  ]
  for (const [over, expected] of others) {
    await source.close()
    await open(over)
    expect(await caseOf()).toBe(expected)
  }
  expect(JSON.stringify(source.requests)).not.toContain(DATABENTO_KEY)
})

test('twenty metadata requests a second; then 429 with Retry-After', async () => {
  await open()
  const statuses: number[] = []
  for (let count = 0; count < 21; count++) {
    statuses.push((await get('metadata.get_dataset_range', { dataset: 'OPRA.PILLAR' }))[0])
  }
  expect(statuses).toEqual([...Array(20).fill(200), 429])
  const refused = await post('metadata.get_cost', RANGE)
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
  expect((await getRange()).status).toBe(200)
})

test("another symbol's records and other columns", async () => {
  await open({
    faults: [rowsOf({ symbols: 'SPX.OPT' }), otherColumns({ price: 'px', size: null })],
  })
  const other = (await getRange({ symbols: 'SPXW.OPT', ...PRETTY })).body.toString()
  expect(other).toContain('SPX   241115P05000000')
  expect(other).not.toContain('SPXW')
  expect((await getRange()).body.toString()).toMatch(/^[\w,]+,side,px,flags,/)
  expect(source.requests[0]).toMatchObject({ form: { symbols: 'SPXW.OPT' } })
})
