// A browser as far as HTTP goes: it keeps the cookie, and sends the forms of pages.

import { expect } from 'vitest'
import type { TestApi } from './api.ts'

export type Seen = {
  readonly status: number
  readonly headers: Headers
  readonly html: string
  readonly location: string | null
}

export type Visitor = {
  readonly url: string
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Seen>
  /** Posts fields, with the token of the account page where it is signed in. */
  readonly post: (
    path: string,
    fields: Record<string, string>,
    headers?: Record<string, string>,
  ) => Promise<Seen>
  readonly signIn: (code: string) => Promise<Seen>
  /** `name=value`; null while there is none. */
  readonly cookie: () => string | null
  /** Of the forms of the account page; empty where nobody is signed in. */
  readonly token: () => Promise<string>
}

export function findVisitor(url: string): Visitor {
  let cookie: string | null = null
  const query = async (path: string, init: RequestInit & { headers: Record<string, string> }) => {
    const headers = { accept: 'text/html', ...(cookie && { cookie }), ...init.headers }
    const response = await fetch(url + path, { ...init, headers, redirect: 'manual' })
    const set = response.headers.getSetCookie().find(one => one.startsWith('__Host-tapefold='))
    if (set !== undefined) cookie = set.includes('Max-Age=0') ? null : set.split(';')[0]!
    const html = await response.text()
    const location = response.headers.get('location')
    return { status: response.status, headers: response.headers, html, location }
  }
  const get: Visitor['get'] = (path, headers = {}) => query(path, { headers })
  const token = async () => {
    if (cookie === null) return ''
    const { html } = await get('/account')
    return /name="token" value="([^"]+)"/.exec(html)?.[1] ?? ''
  }
  const post: Visitor['post'] = async (path, fields, headers = {}) => {
    const own = { token: await token(), ...fields }
    const body = new URLSearchParams(own).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const from = { origin: url, 'sec-fetch-site': 'same-origin' }
    // an empty header is one that is not sent
    const all = Object.entries({ ...type, ...from, ...headers }).filter(([, text]) => text !== '')
    return query(path, { method: 'POST', body, headers: Object.fromEntries(all) })
  }
  const signIn: Visitor['signIn'] = async code => {
    const entered = await post('/account/enter', { code })
    expect([entered.status, entered.location]).toEqual([303, '/account'])
    return entered
  }
  return { url, get, post, signIn, cookie: () => cookie, token }
}

/** A code for an account, a minute later: so one address may try them all. */
export async function newCode(api: TestApi, accountId = api.accountId): Promise<string> {
  api.clock.atMs += 60_000
  return (await api.accounts.addSignInCode(accountId, api.clock.atMs))!.code
}

/** A browser that is signed in to an account. */
export async function signedIn(api: TestApi, accountId = api.accountId): Promise<Visitor> {
  const visitor = findVisitor(api.url)
  await visitor.signIn(await newCode(api, accountId))
  return visitor
}
