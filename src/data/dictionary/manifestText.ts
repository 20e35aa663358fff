import type { z } from 'zod'
import { Refusal } from '../../core/disk/refusal.ts'

/** The value of a JSON text, or undefined where it is none: a schema then says so. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Describes the first fault of a manifest, in words that follow its name. */
export function describeFault(error: z.ZodError): string {
  const { path, message } = error.issues[0]!
  return path.length === 0 ? 'it is not JSON, or cut short' : `${path.join('.')} ${message}`
}

/** True when a format number is above the newest that this version reads. */
export const isNewerFormat = (format: unknown, newest = 1): boolean =>
  typeof format === 'number' && format > newest

/** Refuses a manifest's text when a newer version of the product wrote it. */
export const refuseNewerFormat = (name: string, text: string, newest = 1): void =>
  refuseNewerValue(name, parseJson(text), newest)

/** The same for the value of the text. */
export function refuseNewerValue(name: string, value: unknown, newest = 1): void {
  const { format } = (value ?? {}) as { format?: unknown }
  if (isNewerFormat(format, newest)) {
    throw new NewerManifest(`${name} was written by a newer version of Tapefold: update this one.`)
  }
}

/** A manifest that a newer version of the product wrote. */
export class NewerManifest extends Refusal {}
