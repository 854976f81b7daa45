@"offer.5.0.0" = internal unnamed_addr constant %lf_offer { i16 0, i16 10, i16 0, i16 0, i16 0, i16 5, i16 2, i16 0, i16 0, i16 0, i16 0, i16 0, i8 0, i8 1, i8 0, i8 0, i8 -1, i8 0, i8 0, i8 0, i8 1, i8 0, ptr null, ptr @"complete.init.0.0.0" }

@"offer.6.0.0" = internal unnamed_addr constant %lf_offer { i16 0, i16 10, i16 0, i16 0, i16 0, i16 6, i16 3, i16 0, i16 0, i16 0, i16 0, i16 0, i8 0, i8 1, i8 0, i8 0, i8 -1, i8 0, i8 0, i8 0, i8 0, i8 0, ptr null, ptr null }

@"offer.7.0.0" = internal unnamed_addr constant %lf_offer { i16 0, i16 10, i16 0, i16 0, i16 0, i16 7, i16 4, i16 0, i16 0, i16 0, i16 0, i16 0, i8 0, i8 1, i8 0, i8 0, i8 -1, i8 0, i8 0, i8 0, i8 0, i8 0, ptr null, ptr null }

@lf_pool = internal constant [1 x i8] c"\00", align 4

define internal void @"complete.init.0.0.0"(ptr %b, ptr %frame, ptr %values) nounwind {
entry:
  %t1 = getelementptr i8, ptr %b, i32 9
  %t2 = load i8, ptr %values, align 1
  store i8 %t2, ptr %t1, align 1
  ret void
}

define internal i16 @"run.init.0"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  %a13 = alloca %lf_meeting, align 2
  %a21 = alloca i8, align 1
  %a32 = alloca %lf_meeting, align 2
  %a44 = alloca i32, align 4
  %a45 = alloca %lf_meeting, align 2
  switch i16 %position, label %nowhere [ i16 1, label %b0 i16 2, label %b2 i16 3, label %b3 i16 4, label %b1 ]
nowhere:
  unreachable
b0:
  %t1 = icmp ult i32 3, 8
  br i1 %t1, label %ok.2, label %bad.3, !prof !0
bad.3:
  call void @lf_fault(ptr %b, i8 zeroext 11, i16 zeroext 0, i32 3, i32 8) #1
  unreachable
ok.2:
  %t4 = shl i8 1, 3
  %t5 = call zeroext i8 @lf_policy_in8(ptr %b, i32 37)
  %t6 = or i8 %t5, %t4
  call void @lf_policy_out8(ptr %b, i32 37, i8 zeroext %t6)
  %t7 = getelementptr i8, ptr %b, i32 8
  %t8 = call zeroext i8 @lf_policy_in8(ptr %b, i32 16)
  store i8 %t8, ptr %t7, align 1
  %t9 = getelementptr i8, ptr %b, i32 8
  %t10 = load i8, ptr %t9, align 1
  call void @lf_policy_out8(ptr %b, i32 17, i8 zeroext %t10)
  %t11 = getelementptr i8, ptr %b, i32 4
  %t12 = call i32 @lf_policy_clock(ptr %b)
  store i32 %t12, ptr %t11, align 4
  call void @lf_meeting_begin(ptr %a13)
  %t14 = call zeroext i1 @lf_policy_meet(ptr %b, ptr %a13)
  br i1 %t14, label %met.15, label %alone.16
met.15:
  unreachable
alone.16:
  %t17 = call zeroext i16 @lf_policy_console_in(ptr %b)
  %t20 = icmp sge i16 %t17, 0
  br i1 %t20, label %byte.18, label %nothing.19
byte.18:
  %t22 = trunc i16 %t17 to i8
  store i8 %t22, ptr %a21, align 1
  call void @"complete.init.0.0.0"(ptr %b, ptr %frame, ptr %a21)
  %t23 = zext i8 %slot to i16
  %t24 = zext i16 %t23 to i32
  %t25 = getelementptr i8, ptr %b, i32 %t24
  store i8 2, ptr %t25, align 1
  ret i16 -32768
nothing.19:
  call void @lf_policy_waits(ptr %b, i8 zeroext %slot, i8 zeroext 0)
  %t26 = zext i8 %slot to i16
  %t27 = zext i16 %t26 to i32
  %t28 = getelementptr i8, ptr %b, i32 %t27
  store i8 5, ptr %t28, align 1
  ret i16 -32768
b1:
  %t29 = sub i8 %slot, 0
  call void @lf_end(ptr %b, i16 zeroext 0, i8 zeroext %t29, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 0)
  ret i16 -32768
b2:
  %t30 = getelementptr i8, ptr %b, i32 9
  %t31 = load i8, ptr %t30, align 1
  call void @lf_policy_console_out(ptr %b, i8 zeroext %t31)
  call void @lf_meeting_begin(ptr %a32)
  call void @lf_seek_pending(ptr %b, ptr %a32, i8 zeroext -1, i8 zeroext 0)
  %t33 = call zeroext i1 @lf_policy_meet(ptr %b, ptr %a32)
  br i1 %t33, label %met.34, label %alone.35
met.34:
  br label %take.36
take.36:
  call void @lf_clear_pending(ptr %b, i8 zeroext 0)
  br label %moved.37
moved.37:
  %t38 = zext i8 %slot to i16
  %t39 = zext i16 %t38 to i32
  %t40 = getelementptr i8, ptr %b, i32 %t39
  store i8 3, ptr %t40, align 1
  ret i16 -32768
alone.35:
  call void @lf_policy_waits(ptr %b, i8 zeroext %slot, i8 zeroext 0)
  %t41 = zext i8 %slot to i16
  %t42 = zext i16 %t41 to i32
  %t43 = getelementptr i8, ptr %b, i32 %t42
  store i8 6, ptr %t43, align 1
  ret i16 -32768
b3:
  store i32 10, ptr %a44, align 4
  call void @lf_meeting_begin(ptr %a45)
  %t46 = call zeroext i1 @lf_policy_meet(ptr %b, ptr %a45)
  br i1 %t46, label %met.47, label %alone.48
met.47:
  unreachable
alone.48:
  %t49 = load i32, ptr %a44, align 4
  call void @lf_policy_sleeps(ptr %b, i8 zeroext %slot, i8 zeroext -1, i32 %t49)
  call void @lf_policy_waits(ptr %b, i8 zeroext %slot, i8 zeroext 0)
  %t50 = zext i8 %slot to i16
  %t51 = zext i16 %t50 to i32
  %t52 = getelementptr i8, ptr %b, i32 %t51
  store i8 7, ptr %t52, align 1
  ret i16 -32768
}
