/** A language model that turns free text into rules; LAB has none unless it is set up. */
export type ModelSettings = {
  /** Address of an API that is compatible with OpenAI's, such as http://127.0.0.1:11434/v1. */
  readonly url: string
  /** Name of the model there. */
  readonly name: string
  /** Secret; null: the API takes none. */
  readonly key: string | null
}

/** Parses the address of a model; null for one with a login, a query or another scheme. */
export function parseModelUrl(text: string): string | null {
  if (!/^https?:\/\/[^\s?#@\\]+$/i.test(text) || !URL.canParse(text)) return null
  return text.replace(/\/+$/, '')
}
