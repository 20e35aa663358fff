import type { BodyKey } from '../../accounts/outbox/body.ts'

/**
 * What a body is made of: what all accounts share, and what is one account's own. `eventBody` of
 * the store puts them together with the id, always to the same bytes.
 */

/** Some fields of a body, already in the words of the interface. */
export type BodyPart = Readonly<Partial<Record<BodyKey, unknown>>>

/** Version of all bodies. */
const VERSION = 1

/** What all accounts share of a body, as the store keeps it: all but its id. */
export const storedBody = (part: BodyPart): string => JSON.stringify({ version: VERSION, ...part })

/** How it came to the event: of a session that is replayed, or that is simulated. */
export type Origin = { readonly isReplay: boolean; readonly isSimulated: boolean }

/** What a body says of its origin; nothing of a real session as it runs. */
export const originFields = ({ isReplay, isSimulated }: Origin): BodyPart => ({
  ...(isReplay && { replay: true }),
  ...(isSimulated && { simulated: true }),
})
