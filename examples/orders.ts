// Prints the ten orders of the newest ledger that moved the dealers' gamma most; with a number of
// seconds, again whenever the ledger has changed.
// TAPEFOLD_KEY=ordk_... node orders.ts 5

import { setTimeout } from 'node:timers/promises'

/** Some fields of a ledger; /openapi.json describes all of them. */
type Ledger = { day: string; asof: string | null; note?: string; orders: Order[] }
type Order = { t: string; kind: string; legs: string; g: number | null; g_null: string | null }

const { TAPEFOLD_URL = 'http://127.0.0.1:8080', TAPEFOLD_KEY } = process.env
const everyS = Number(process.argv[2] ?? 0)
const headers: Record<string, string> = { authorization: `Bearer ${TAPEFOLD_KEY}` }
for (;;) {
  const response = await fetch(`${TAPEFOLD_URL}/orders/api/latest`, { headers })
  if (response.status === 429 || response.status === 503) {
    await setTimeout(1000 * Number(response.headers.get('retry-after') ?? 60))
    continue
  }
  // 304: the ledger is the one that this ETag names
  if (response.status !== 304) {
    if (!response.ok) throw new Error(await response.text())
    headers['if-none-match'] = response.headers.get('etag') ?? ''
    print((await response.json()) as Ledger)
  }
  if (everyS === 0) break
  await setTimeout(1000 * everyS)
}

function print({ day, asof, note, orders }: Ledger): void {
  console.log(day, asof ?? note)
  // an unknown gamma is null, never 0: g_null is the reason
  for (const { t, kind, legs, g, g_null } of orders.slice(0, 10)) {
    console.log(t, kind, legs, g ?? g_null)
  }
}
