;; The kernel of simd-kernel.ts, over the memory that it imports. Addresses and $stride are in bytes; a row is $stride signed bytes.
;; The module in simd-kernel.ts is made of this text: kernel.test.ts compares them and shows the new one.
(module
  (import "env" "memory" (memory 1))

  ;; The dot products of $count rows with the int16 vector at $query, as int32 from $out.
  (func (export "dots") (param $row i32) (param $count i32) (param $stride i32) (param $query i32) (param $out i32)
    (local $at i32) (local $end i32) (local $codes v128) (local $low v128) (local $high v128)
    (loop $rows
      (local.set $low (v128.const i32x4 0 0 0 0))
      (local.set $high (v128.const i32x4 0 0 0 0))
      (local.set $at (local.get $query))
      (local.set $end (i32.add (local.get $row) (local.get $stride)))
      (loop $codes
        (local.set $codes (v128.load align=1 (local.get $row)))
        (local.set $low (i32x4.add (local.get $low) (i32x4.dot_i16x8_s
          (i16x8.extend_low_i8x16_s (local.get $codes)) (v128.load align=1 (local.get $at)))))
        (local.set $high (i32x4.add (local.get $high) (i32x4.dot_i16x8_s
          (i16x8.extend_high_i8x16_s (local.get $codes)) (v128.load offset=16 align=1 (local.get $at)))))
        (local.set $row (i32.add (local.get $row) (i32.const 16)))
        (local.set $at (i32.add (local.get $at) (i32.const 32)))
        (br_if $codes (i32.lt_u (local.get $row) (local.get $end))))
      (local.set $low (i32x4.add (local.get $low) (local.get $high)))
      (i32.store (local.get $out) (i32.add (i32.add (i32.add
        (i32x4.extract_lane 0 (local.get $low)) (i32x4.extract_lane 1 (local.get $low)))
        (i32x4.extract_lane 2 (local.get $low))) (i32x4.extract_lane 3 (local.get $low))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $rows (local.get $count))))

  ;; Writes $fall * ($behind + $scale * row) to $out.
  (func (export "fallBehind") (param $behind i32) (param $row i32) (param $stride i32) (param $scale f32) (param $fall f32) (param $out i32)
    (local $end i32) (local $scales v128) (local $falls v128)
    (local.set $end (i32.add (local.get $row) (local.get $stride)))
    (local.set $scales (f32x4.splat (local.get $scale)))
    (local.set $falls (f32x4.splat (local.get $fall)))
    (loop $next
      ;; Four codes at a time.
      (v128.store align=1 (local.get $out) (f32x4.mul (local.get $falls) (f32x4.add (v128.load align=1 (local.get $behind))
        (f32x4.mul (local.get $scales) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s
          (i16x8.extend_low_i8x16_s (v128.load32_zero align=1 (local.get $row)))))))))
      (local.set $row (i32.add (local.get $row) (i32.const 4)))
      (local.set $behind (i32.add (local.get $behind) (i32.const 16)))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $row) (local.get $end)))))

  ;; The square of the length of $own * $scale * row + $behind + $ahead; makes $ahead $fall * ($ahead + $scale * row).
  (func (export "squareOfSum") (param $behind i32) (param $ahead i32) (param $row i32) (param $stride i32)
    (param $scale f32) (param $own f32) (param $fall f32) (result f32)
    (local $end i32) (local $scales v128) (local $owns v128) (local $falls v128)
    (local $values v128) (local $aheads v128) (local $sum v128)
    (local.set $end (i32.add (local.get $row) (local.get $stride)))
    (local.set $scales (f32x4.splat (local.get $scale)))
    (local.set $owns (f32x4.splat (local.get $own)))
    (local.set $falls (f32x4.splat (local.get $fall)))
    (loop $next
      (local.set $values (f32x4.mul (local.get $scales) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s
        (i16x8.extend_low_i8x16_s (v128.load32_zero align=1 (local.get $row)))))))
      (local.set $aheads (v128.load align=1 (local.get $ahead)))
      (v128.store align=1 (local.get $ahead)
        (f32x4.mul (local.get $falls) (f32x4.add (local.get $aheads) (local.get $values))))
      (local.set $aheads (f32x4.add (local.get $aheads) (f32x4.add (v128.load align=1 (local.get $behind))
        (f32x4.mul (local.get $owns) (local.get $values)))))
      (local.set $sum (f32x4.add (local.get $sum) (f32x4.mul (local.get $aheads) (local.get $aheads))))
      (local.set $row (i32.add (local.get $row) (i32.const 4)))
      (local.set $behind (i32.add (local.get $behind) (i32.const 16)))
      (local.set $ahead (i32.add (local.get $ahead) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $row) (local.get $end))))
    (f32.add (f32.add (f32.add
      (f32x4.extract_lane 0 (local.get $sum)) (f32x4.extract_lane 1 (local.get $sum)))
      (f32x4.extract_lane 2 (local.get $sum))) (f32x4.extract_lane 3 (local.get $sum)))))
