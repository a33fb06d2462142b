// Words of the pit that several of its parts use.

import { say, type Text, type Texts } from '../lib/language.svelte';
import { houseWords } from '../lib/house_words';
import type { Status } from './floor_order';

export const STATUS: Record<Status, Text> = {
  stopped: ['Stopped', '已停机'], waits: ['Needs a decision', '等待裁决'], suspended: ['Suspended', '已暂停'], open: ['Open', '营业中'], closed: ['Closed', '已关闭'],
};

const ALERT_KINDS: Record<string, Text> = {
  'large-win': ['Large win', '大额赢彩'], void: ['Void round', '作废局'], misdeal: ['Irregularity', '异常'], 'manual-correction': ['Ruling or correction', '裁决或更正'],
  'limit-change': ['Limits changed', '限额变更'], 'clock-step': ['Clock step', '时钟跳变'], 'rng-fault': ['Fault of the random source', '随机源故障'],
  'sign-in-failures': ['Failed sign-ins', '登录失败'], export: ['Records taken out', '记录导出'], 'account-locked': ['Account locked', '账户锁定'], 'password-guessing': ['Guessing from many sources', '多处来源试密码'],
  'table-stopped': ['Table stopped', '牌桌停机'], 'program-changed': ['Program changed', '程序变更'],
};

export function alertWords(kind: string): string {
  const known = ALERT_KINDS[kind];
  return known ? say(known) : houseWords(kind);
}

export const COMMON = {
  pit: ['Pit', '监场'], floor: ['Floor', '全场'], people: ['People', '人员'], drop: ['Drop', '投箱'], win: ['Win', '赢数'], hold: ['Hold', '留存率'],
  perHour: ['Rounds/h', '局/小时'], staked: ['On the layout', '台面投注'], tray: ['Tray', '筹码盘'], patrons: ['Patrons', '客人'], limits: ['Limits', '限额'],
  differential: ['Differential', '差额限制'], none: ['none', '无'], round: ['Round {n}', '第 {n} 局'], save: ['Save', '保存'], cancel: ['Cancel', '取消'],
  automatic: ['automatic dealer', '自动荷官'], human: ['dealer', '荷官'], reason: ['Reason', '理由'], version: ['version {v}', '版本 {v}'],
} satisfies Texts;

const SETTINGS: Record<string, Text> = {
  limits: COMMON.limits, differential: COMMON.differential, method: ['Method', '发牌方式'], decks: ['Decks', '牌副数'], reveal_seconds: ['Seconds for a hand', '开牌秒数'], withdrawal_seconds: ['Seconds to withdraw', '撤注秒数'],
};

/** What a setting of a table is called. */
export function settingWords(id: string): string {
  const known = SETTINGS[id];
  return known ? say(known) : id.replaceAll('_', ' ');
}

/** A share as a percentage; a dash where there is none. */
export function percent(share: number | null, digits = 1): string {
  return share === null ? '–' : `${share < 0 ? '\u2212' : ''}${Math.abs(share * 100).toFixed(digits)} %`;
}

/** The time of day of a moment, as the reader's clock has it; with the date where it was on another day than `now`. */
export function clockTime(at: number, now: number): string {
  const [moment, today] = [new Date(at), new Date(now)];
  const two = (n: number): string => String(n).padStart(2, '0');
  const time = `${two(moment.getHours())}:${two(moment.getMinutes())}:${two(moment.getSeconds())}`;
  const same = moment.toDateString() === today.toDateString();
  return same ? time : `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())} ${time}`;
}
