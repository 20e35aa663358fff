import type { BodyKey } from '../../outbox/store/body.ts'

/**
 * Parts of a body: one shared by all accounts, and one account's own. `eventBody` of the store
 * joins them with the id, always to the same bytes.
 */

/** Some fields of a body, in the format of the API. */
export type BodyPart = Readonly<Partial<Record<BodyKey, unknown>>>

/** Version of all bodies. */
const VERSION = 1

/** The shared part of a body as stored, without its id. */
export const storedBody = (part: BodyPart): string => JSON.stringify({ version: VERSION, ...part })

/** Origin of an event: a session that is replayed or simulated. */
export type Origin = { readonly isReplay: boolean; readonly isSimulated: boolean }

/** Origin fields of a body; none for a real live session. */
export const originFields = ({ isReplay, isSimulated }: Origin): BodyPart => ({
  ...(isReplay && { replay: true }),
  ...(isSimulated && { simulated: true }),
})
