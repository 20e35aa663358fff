import type { Document } from '../platform/html/layout.ts'
import { type Html, html } from '../platform/html/template.ts'
import type { Account } from './types.ts'

/**
 * An area's part of the account page, by contract: the page draws the sections of all areas and
 * knows none by name.
 */
export type AccountPart = {
  readonly sections?: readonly AccountSection[]
  /** An account's use of each limit of the area; none for limits that do not apply. */
  readonly usage?: (request: AccountRequest) => Promise<readonly LimitUse[]>
  /** A GET that works with any valid key of the area's product, as an example for a new key. */
  readonly firstCallPath?: string
  /** Pages of the area, for signed-in visitors. */
  readonly pages?: AccountPages
}

/** Pages of an area below `/account/NAME`, for content too large for a section. */
export type AccountPages = {
  readonly name: string
  readonly show: (request: AccountPageRequest) => Promise<AccountPageResponse>
  /** Form handlers, by the last part of the address: `/account/NAME/FORM`. */
  readonly forms: Readonly<Record<string, (sent: AccountForm) => Promise<AccountPageResponse>>>
}

export type AccountPageRequest = AccountRequest & {
  /** Path after the name, such as `ideas` and an id; empty for the first page. */
  readonly parts: readonly string[]
  /** Returns the values of these parameters; ignores others and names them in the response. */
  readonly query: <Name extends string>(
    known: readonly Name[],
  ) => Readonly<Record<Name, readonly string[]>>
}

/**
 * A page with its status, 200 by default; a redirect; a file; a value for a script; or null: there
 * is no such page.
 */
export type AccountPageResponse =
  | null
  | { readonly page: Omit<Document, 'path'>; readonly status?: number }
  | { readonly goTo: string }
  | { readonly file: { readonly name: string; readonly type: string; readonly bytes: Uint8Array } }
  | { readonly json: object }

export type AccountSection = {
  /** Part of the addresses of its forms, and its anchor. */
  readonly name: string
  readonly title: string
  /** Draws the section for an account; null when there is nothing to show, not even its title. */
  readonly draw: (request: AccountRequest) => Promise<Html | null>
  /** Form handlers, by the last part of the address. */
  readonly forms?: Readonly<Record<string, (sent: AccountForm) => Promise<FormResponse>>>
}

/** Visitor of the account page, and the time. */
export type AccountRequest = {
  readonly account: Account
  /** Real time, also in a replay. */
  readonly atMs: number
  /** The requesting browser, among those that are signed in. */
  readonly signInId: string
  /** Must be sent with every form. */
  readonly token: string
}

export type AccountForm = AccountRequest & {
  readonly fields: URLSearchParams
  /** Origin at which the browser reached this server, such as https://tapefold.example. */
  readonly origin: string
}

/**
 * Result of a form: null, the page is shown again; a notice shown once above the section; or a
 * refusal, shown there too, with the status 400.
 */
export type FormResponse = null | { readonly notice: Html } | { readonly refused: string }

/** One limit and its use. */
export type LimitUse = {
  readonly what: string
  readonly used: number
  readonly limit: number
  /** When the count resets, such as "at midnight in New York"; null: never. */
  readonly resets: string | null
}

/** A form of a section: it posts to `/account/SECTION/FORM`. */
export const accountForm = (
  { token }: Pick<AccountRequest, 'token'>,
  action: string,
  content: Html,
): Html => html`<form method="post" action="/account/${action}">
<input type="hidden" name="token" value="${token}">
${content}
</form>`
