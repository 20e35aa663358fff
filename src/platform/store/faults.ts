import { CommandError, Refusal } from '../../core/disk/refusal.ts'
import { shown } from '../../core/disk/text.ts'

/** The store or its database does not respond: the same command may succeed later (75). */
export class StoreAway extends CommandError {
  constructor(message: string) {
    super(message, 75)
  }
}

/** Another machine has set the pointer since this one read it. */
export class PublishedMeanwhile extends Refusal {}

/** An object of the store differs from its name. */
export class DamagedObject extends Refusal {}

/** An object that a manifest or a pointer names is not in the store. */
export class MissingObject extends Refusal {}

/** Errors of the S3 client, as far as they are needed. */
type S3Error = Error & { readonly $metadata?: { readonly httpStatusCode?: number }; code?: string }

/** Names of errors, by what a person can do. */
const REFUSED = ['AccessDenied', 'InvalidAccessKeyId', 'SignatureDoesNotMatch', 'AllAccessDisabled']
const LATER = ['TimeoutError', 'AbortError', 'SlowDown', 'RequestTimeout', 'NetworkingError']

/** Codes of a connection that was not made, or broke. */
export const NETWORK =
  /^(E(CONN|HOST|NET|PIPE|AI_|TIMEDOUT|NOTFOUND)|UND_ERR|ERR_STREAM_PREMATURE_CLOSE)/

/**
 * Converts an error of the S3 client into one sentence without keys, addresses or paths; an error of
 * this machine's disk, or of the program, stays as it is.
 */
export function readFault(error: unknown, bucket: string): unknown {
  if (error instanceof Refusal || error instanceof CommandError) return error
  const { name, code = '', message, $metadata } = error as S3Error
  const status = $metadata?.httpStatusCode
  if (name === 'NoSuchBucket') {
    return new Refusal(`the store has no bucket ${bucket}; create it, or correct TAPEFOLD_STORE.`)
  }
  if (name === 'CredentialsProviderError') {
    return new Refusal(
      'there are no keys for the store; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    )
  }
  if (/^Region is missing/.test(message)) {
    return new Refusal('the store needs a region; set AWS_REGION, such as us-east-1.')
  }
  if (name === 'RequestTimeTooSkewed') {
    return new Refusal(
      "the store refuses the time of this machine: its clock is wrong by more than the store's limit, " +
        'which is 15 minutes at Amazon; set it.',
    )
  }
  const region = /(?:expecting|expects) '([\w-]{1,40})'/.exec(message)?.[1]
  if (name === 'AuthorizationHeaderMalformed' && region !== undefined) {
    return new Refusal(`bucket ${bucket} expects the region ${region}; set AWS_REGION to it.`)
  }
  if (REFUSED.includes(name) || status === 401 || status === 403) {
    return new Refusal(
      `the store refuses access to bucket ${bucket} (${name}); check the keys and their rights.`,
    )
  }
  if (status === 301 || name === 'PermanentRedirect') {
    return new Refusal(
      `bucket ${bucket} is in another region; set AWS_REGION to that of the bucket.`,
    )
  }
  if (LATER.includes(name) || NETWORK.test(code) || (status !== undefined && status >= 500)) {
    const reason = code || (status === undefined ? name : `${name}, ${status}`)
    return new StoreAway(`the store does not respond (${reason}); try again later.`)
  }
  if (status !== undefined) {
    const reason = message === name || message === 'UnknownError' ? '' : `: ${showReason(message)}`
    const what = `the store refused a request to bucket ${bucket} (${name}, ${status})`
    return new Refusal(`${what}${reason}.`)
  }
  return error
}

/** Longest word of a store's reason that is shown: a longer one may be a key. */
const WORD_MAX_LENGTH = 20

/** A store's own reason, without words that may be a path or a key. */
const showReason = (message: string): string =>
  shown(
    message
      .split(' ')
      .map(word => (word.includes('/') || word.length > WORD_MAX_LENGTH ? '…' : word))
      .join(' '),
  )
