@"offer.6.0.1" = internal unnamed_addr constant %lf_offer { i16 1, i16 4, i16 0, i16 0, i16 0, i16 6, i16 5, i16 1, i16 0, i16 0, i16 0, i16 0, i8 1, i8 1, i8 0, i8 0, i8 -1, i8 3, i8 0, i8 0, i8 1, i8 0, ptr null, ptr @"complete.Program.Other.1.0.0" }

@lf_pool = internal constant [1 x i8] c"\00", align 4

define internal void @"complete.Program.Other.1.0.0"(ptr %b, ptr %frame, ptr %values) nounwind {
entry:
  %t1 = getelementptr i8, ptr %b, i32 3
  %t2 = load i8, ptr %values, align 1
  store i8 %t2, ptr %t1, align 1
  ret void
}

define internal i16 @"run.init.0"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  %a14 = alloca [1 x i8], align 1
  %a24 = alloca %lf_meeting, align 2
  switch i16 %position, label %nowhere [ i16 1, label %b0 i16 2, label %b2 i16 3, label %b3 ]
nowhere:
  unreachable
b0:
  %t1 = getelementptr i8, ptr %b, i32 2
  store i8 1, ptr %t1, align 1
  %t2 = call zeroext i8 @lf_free_slot(ptr %b, i16 zeroext 1, i8 zeroext 1, i8 zeroext 0, i16 zeroext 0)
  %t3 = zext i8 %t2 to i16
  %t4 = mul i16 %t3, 0
  %t5 = getelementptr i8, ptr %b, i32 4
  %t6 = zext i16 %t4 to i32
  %t7 = getelementptr i8, ptr %t5, i32 %t6
  call void @lf_set_position(ptr %b, i16 zeroext 1, i8 zeroext %t2, i8 zeroext 0, i16 zeroext 4)
  %t8 = add i8 %t2, 1
  call void @lf_policy_created(ptr %b, i8 zeroext %t8, i32 -1)
  %t9 = getelementptr i8, ptr %b, i32 2
  %t10 = load i8, ptr %t9, align 1
  %t11 = icmp ne i8 %t10, 0
  br i1 %t11, label %ok.12, label %bad.13, !prof !0
bad.13:
  call void @lf_fault(ptr %b, i8 zeroext 7, i16 zeroext 1, i32 0, i32 0) #1
  unreachable
ok.12:
  %t15 = getelementptr i8, ptr %b, i32 3
  %t16 = load i8, ptr %t15, align 1
  %t17 = call { i8, i1 } @llvm.sadd.with.overflow.i8(i8 %t16, i8 1)
  %t18 = extractvalue { i8, i1 } %t17, 0
  %t19 = extractvalue { i8, i1 } %t17, 1
  %t20 = xor i1 %t19, true
  br i1 %t20, label %ok.21, label %bad.22, !prof !0
bad.22:
  %t23 = sext i8 %t16 to i32
  call void @lf_fault(ptr %b, i8 zeroext 3, i16 zeroext 2, i32 %t23, i32 1) #1
  unreachable
ok.21:
  store i8 %t18, ptr %a14, align 1
  call void @lf_meeting_begin(ptr %a24)
  call void @lf_seek_receivers(ptr %b, ptr %a24, i8 zeroext 0, i8 zeroext %t10, ptr %a14, ptr @"offer.6.0.1")
  %t25 = call zeroext i1 @lf_policy_meet(ptr %b, ptr %a24)
  br i1 %t25, label %met.26, label %alone.27
met.26:
  br label %take.28
take.28:
  %t30 = call zeroext i1 @lf_deliver(ptr %b, ptr %a24, ptr %a14, ptr @"offer.6.0.1")
  br label %moved.29
moved.29:
  %t31 = zext i8 %slot to i16
  %t32 = zext i16 %t31 to i32
  %t33 = getelementptr i8, ptr %b, i32 %t32
  store i8 2, ptr %t33, align 1
  ret i16 -32768
alone.27:
  %t34 = zext i8 %slot to i16
  %t35 = zext i16 %t34 to i32
  %t36 = getelementptr i8, ptr %b, i32 %t35
  store i8 3, ptr %t36, align 1
  ret i16 -32768
b1:
  %t37 = sub i8 %slot, 0
  call void @lf_end(ptr %b, i16 zeroext 0, i8 zeroext %t37, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 0)
  ret i16 -32768
b2:
  %t38 = getelementptr i8, ptr %b, i32 3
  store i8 1, ptr %t38, align 1
  br label %b1
b3:
  %t39 = getelementptr i8, ptr %b, i32 3
  store i8 2, ptr %t39, align 1
  br label %b1
}

define internal i16 @"run.Program.Other.1"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  %a1 = alloca %lf_meeting, align 2
  switch i16 %position, label %nowhere [ i16 4, label %b0 i16 5, label %b1 ]
nowhere:
  unreachable
b0:
  call void @lf_meeting_begin(ptr %a1)
  %t2 = call zeroext i1 @lf_policy_meet(ptr %b, ptr %a1)
  br i1 %t2, label %met.3, label %alone.4
met.3:
  br label %take.5
take.5:
  unreachable
alone.4:
  call void @lf_policy_waits(ptr %b, i8 zeroext %slot, i8 zeroext 0)
  %t7 = zext i8 %slot to i16
  %t8 = zext i16 %t7 to i32
  %t9 = getelementptr i8, ptr %b, i32 %t8
  store i8 6, ptr %t9, align 1
  ret i16 -32768
b1:
  %t10 = sub i8 %slot, 1
  call void @lf_end(ptr %b, i16 zeroext 1, i8 zeroext %t10, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 0)
  ret i16 -32768
}
