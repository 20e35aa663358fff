// The examples that AWS publishes for the Authorization header of S3.

import { expect, test } from 'vitest'
import { computeSignature, EMPTY_SHA256, signRequest, verifySignature } from './sigV4.ts'

const KEYS = {
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const AT = '20130524T000000Z'
const NOW_MS = Date.parse('2013-05-24T00:00:00Z')

const request = (target: string, headers: Record<string, string> = {}, method = 'GET') => ({
  method,
  target,
  headers: {
    host: 'examplebucket.s3.amazonaws.com',
    'x-amz-content-sha256': EMPTY_SHA256,
    'x-amz-date': AT,
    ...headers,
  },
})

test.each([
  [
    'a part of an object',
    request('/test.txt', { range: 'bytes=0-9' }),
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'an object that is stored, with a sign to encode in its key',
    request(
      '/test$file.text',
      {
        date: 'Fri, 24 May 2013 00:00:00 GMT',
        'x-amz-storage-class': 'REDUCED_REDUNDANCY',
        'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      },
      'PUT',
    ),
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    'a parameter without a value',
    request('/?lifecycle'),
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    'parameters in any order',
    request('/?prefix=J&max-keys=2'),
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
])('the signature of AWS for %s', (_, signed, signature) => {
  const names = Object.keys(signed.headers).sort()
  expect(computeSignature(signed, KEYS, names)).toBe(signature)
  expect(signRequest(signed, KEYS)).toContain(`Signature=${signature}`)
})

const sign = (target: string, headers: Record<string, string> = {}, keys = KEYS) => {
  const signed = request(target, headers)
  return { ...signed, headers: { ...signed.headers, authorization: signRequest(signed, keys) } }
}

test('a signed request is verified, however its parts are spaced and encoded', () => {
  const keys = { ...KEYS, nowMs: NOW_MS }
  expect(verifySignature(sign('/flatfiles/a%20b.csv?prefix=us%2Fx'), keys)).toBeNull()
  const spaced = sign('/test.txt')
  spaced.headers.authorization = spaced.headers.authorization.replaceAll(',', ', ')
  expect(verifySignature(spaced, keys)).toBeNull()
  const unsigned = sign('/test.txt', { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' })
  expect(verifySignature(unsigned, keys)).toBeNull()
})

test('a wrong signature is refused by the code that S3 has for it', () => {
  const keys = { ...KEYS, nowMs: NOW_MS }
  const codeOf = (signed: ReturnType<typeof request>, own = keys) => {
    const error = verifySignature(signed, own)
    return error && `${error.status} ${error.code}`
  }
  expect(codeOf(request('/test.txt'))).toBe('403 AccessDenied')
  expect(codeOf(request('/test.txt', { authorization: 'Basic x' }))).toBe(
    '400 AuthorizationHeaderMalformed',
  )
  const right = sign('/test.txt', { range: 'bytes=0-9' })
  expect(codeOf({ ...right, target: '/test2.txt' })).toBe('403 SignatureDoesNotMatch')
  expect(codeOf({ ...right, method: 'HEAD' })).toBe('403 SignatureDoesNotMatch')
  const otherRange = { ...right, headers: { ...right.headers, range: 'bytes=0-8' } }
  expect(codeOf(otherRange)).toBe('403 SignatureDoesNotMatch')
  expect(codeOf(sign('/a', {}, { ...KEYS, secretKey: 'x' }))).toBe('403 SignatureDoesNotMatch')
  expect(codeOf(sign('/a', {}, { ...KEYS, accessKey: 'AKIA' }))).toBe('403 InvalidAccessKeyId')
  const elsewhere = sign('/a', {}, { ...KEYS, region: 'eu-west-1' })
  expect(codeOf(elsewhere)).toBe('400 AuthorizationHeaderMalformed')
  const minute = 60_000
  expect(codeOf(right, { ...keys, nowMs: NOW_MS + 15 * minute })).toBeNull()
  expect(codeOf(right, { ...keys, nowMs: NOW_MS + 16 * minute })).toBe('403 RequestTimeTooSkewed')
  const stored = sign('/a', { 'x-amz-content-sha256': 'ab'.repeat(32) })
  expect(codeOf(stored)).toBe('400 XAmzContentSHA256Mismatch')
})
