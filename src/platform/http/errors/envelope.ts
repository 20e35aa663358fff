/** Parts of an error; a product's envelope decides where each part goes in the body. */
export type ErrorParts = {
  /** Stable, for programs. */
  readonly code: string
  /** In words, for people. */
  readonly message: string
  readonly extras: Readonly<Record<string, unknown>>
}

export type Envelope = (parts: ErrorParts) => object

/** Envelope of products with codes: `{"error":{"code","message"}}`, extras next to the code. */
export const codedEnvelope: Envelope = ({ code, message, extras }) => ({
  error: { code, message, ...extras },
})

/** Other envelope: `{"error":"sentence"}`, extras next to it; the time to wait is a header. */
export const sentenceEnvelope: Envelope = ({ message, extras }) => {
  const { retry_after_s: _, ...others } = extras
  return { error: message, ...others }
}
