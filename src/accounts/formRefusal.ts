import { Refusal } from '../core/disk/refusal.ts'
import { ApiError } from '../platform/http/error.ts'
import type { FormResponse } from './accountPage.ts'

/**
 * Shows a refusal on the page of the form; not-found errors get a page of their own. When this
 * server has no key for secrets, only its operator can help.
 */
export async function refusing(work: () => Promise<FormResponse>): Promise<FormResponse> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) {
      const who = 'whoever runs it has to set one'
      return { refused: `This server has no key to keep secrets with; ${who}.` }
    }
    if (!(error instanceof ApiError) || error.code !== 'invalid') throw error
    // people see the field, not its path in a body
    const words = error.message.replace(/^(entry|line|rule)\./, '')
    return { refused: words[0]!.toUpperCase() + words.slice(1) }
  }
}
