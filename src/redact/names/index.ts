/**
 * Which names announce a secret, and in which values they are believed. Pure; knows no notation.
 */
export { isSecret, kindOf, option, quotedForm, type ValueForm } from './judge.ts';
export * from './name.ts';
