import type { Account } from '../accounts/types.ts'
import type { Document } from './layout.ts'
import { type Html, html } from './template.ts'

/**
 * What an area shows on the account page, by contract: the page draws the sections of all areas and
 * knows none of them by its name.
 */
export type AccountPart = {
  readonly sections?: readonly AccountSection[]
  /** How much an account has used of each limit of the area; none where it does not matter. */
  readonly usage?: (request: AccountRequest) => Promise<readonly LimitUse[]>
  /** A GET that works with any good key of the area's product, for who has just made one. */
  readonly firstCallPath?: string
  /** Pages of its own, for who is signed in. */
  readonly pages?: AccountPages
}

/** Pages of an area below `/account/NAME`, for what a section has no room for. */
export type AccountPages = {
  readonly name: string
  readonly show: (request: AccountPageRequest) => Promise<AccountPageResponse>
  /** What its forms do, by the last part of their address: `/account/NAME/FORM`. */
  readonly forms: Readonly<Record<string, (sent: AccountForm) => Promise<AccountPageResponse>>>
}

export type AccountPageRequest = AccountRequest & {
  /** What follows the name, such as `ideas` and an id; none for the first page. */
  readonly parts: readonly string[]
  /** The values of these parameters; others are ignored, and said to be. */
  readonly query: <Name extends string>(
    known: readonly Name[],
  ) => Readonly<Record<Name, readonly string[]>>
}

/**
 * A page with its status, 200 if it has none; where to go on; a file; a value for a script; or
 * null: there is no such page.
 */
export type AccountPageResponse =
  | null
  | { readonly page: Omit<Document, 'path'>; readonly status?: number }
  | { readonly goTo: string }
  | { readonly file: { readonly name: string; readonly type: string; readonly bytes: Uint8Array } }
  | { readonly json: object }

export type AccountSection = {
  /** Stands in the addresses of its forms, and is its anchor. */
  readonly name: string
  readonly title: string
  /** What it shows of an account; null where there is nothing, not even its title. */
  readonly draw: (request: AccountRequest) => Promise<Html | null>
  /** What its forms do, by the last part of their address. */
  readonly forms?: Readonly<Record<string, (sent: AccountForm) => Promise<FormResponse>>>
}

/** Who looks at the account page, and when. */
export type AccountRequest = {
  readonly account: Account
  /** Real time, also in a replay. */
  readonly atMs: number
  /** The browser that asks, among those that are signed in. */
  readonly signInId: string
  /** Has to come back with every form. */
  readonly token: string
}

export type AccountForm = AccountRequest & {
  readonly fields: URLSearchParams
  /** Where the browser reached this server, such as https://tapefold.example. */
  readonly origin: string
}

/**
 * What comes of a form: nothing to say, the page is shown anew; something that is told once above
 * the section; or a refusal, told there too, with the status 400.
 */
export type FormResponse = null | { readonly notice: Html } | { readonly refused: string }

/** One limit, and how much of it is used. */
export type LimitUse = {
  readonly what: string
  readonly used: number
  readonly limit: number
  /** When the count starts again, such as "at midnight in New York"; null: it does not. */
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
